package io.idempotent.kafka;

import java.util.List;

import io.idempotent.method.BatchItemException;
import io.idempotent.method.IdempotentBatch;
import io.idempotent.method.IdempotentBatches;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * What an application writes; it stands in {@code docs/messages.md}.
 */
class BatchListener {

	private final Ledger ledger;

	private final IdempotentBatch<Payment> batch;

	BatchListener(IdempotentBatches batches, PlatformTransactionManager transactions, Ledger ledger) {
		this.ledger = ledger;
		this.batch = batches.of("book-payments", Payment::id).inOneTransaction(transactions);
	}

	@KafkaListener(topics = "${shop.payments}", batch = "true")
	void receive(List<Payment> payments) {
		try {
			this.batch.execute(payments, this.ledger::book);
		}
		catch (BatchItemException ex) {
			throw new BatchListenerFailedException(ex.getMessage(), ex.getCause(), ex.index());
		}
	}

}
