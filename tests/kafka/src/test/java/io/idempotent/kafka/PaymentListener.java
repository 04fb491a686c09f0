package io.idempotent.kafka;

import io.idempotent.Idempotent;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.annotation.Transactional;

/**
 * What an application writes; it stands in {@code docs/messages.md}.
 */
class PaymentListener {

	private final Ledger ledger;

	PaymentListener(Ledger ledger) {
		this.ledger = ledger;
	}

	@KafkaListener(topics = "${shop.payments}")
	@Idempotent(key = "#payment.id")
	@Transactional
	void receive(Payment payment) {
		this.ledger.book(payment);
	}

}
