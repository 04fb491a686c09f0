package io.idempotent.sample.payment;

import java.util.List;

import org.springframework.data.repository.ListCrudRepository;

interface PaymentRepository extends ListCrudRepository<Payment, Long> {

	List<Payment> findAllByOrderById();

}
