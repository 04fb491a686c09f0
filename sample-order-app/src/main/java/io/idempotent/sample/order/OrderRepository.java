package io.idempotent.sample.order;

import java.util.List;

import org.springframework.data.repository.ListCrudRepository;

interface OrderRepository extends ListCrudRepository<PurchaseOrder, Long> {

	List<PurchaseOrder> findAllByOrderById();

}
