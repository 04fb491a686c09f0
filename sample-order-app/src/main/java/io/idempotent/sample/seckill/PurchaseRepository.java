package io.idempotent.sample.seckill;

import org.springframework.data.repository.Repository;

interface PurchaseRepository extends Repository<Purchase, Long> {

	Purchase save(Purchase purchase);

	boolean existsBySkuAndUserId(String sku, String userId);

}
