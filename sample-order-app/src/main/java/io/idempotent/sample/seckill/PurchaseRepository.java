package io.idempotent.sample.seckill;

import java.util.Optional;

import org.springframework.data.repository.Repository;

interface PurchaseRepository extends Repository<Purchase, Long> {

	Purchase save(Purchase purchase);

	boolean existsBySkuAndUserId(String sku, String userId);

	Optional<Purchase> findBySkuAndUserId(String sku, String userId);

}
