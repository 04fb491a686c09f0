package io.idempotent.messaging;

import java.util.List;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.method.BatchItemException;
import io.idempotent.method.IdempotentBatch;
import io.idempotent.method.IdempotentBatches;

import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.Message;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * What an application with RabbitMQ writes for batches; {@code docs/messages.md} links to
 * it.
 */
class AmqpBatchPayments {

	static final String FAILED = "payments.failed";

	private final Ledger ledger;

	private final AmqpTemplate amqp;

	private final IdempotentBatch<Message<String>> batch;

	AmqpBatchPayments(IdempotentBatches batches, PlatformTransactionManager transactions, Ledger ledger,
			AmqpTemplate amqp) {
		this.ledger = ledger;
		this.amqp = amqp;
		this.batch = batches
			.<Message<String>>of("payments", (message) -> message.getHeaders().get(AmqpHeaders.MESSAGE_ID))
			.inOneTransaction(transactions)
			.continueAfterFailures();
	}

	@RabbitListener(queues = "${shop.payments}")
	void receive(List<Message<String>> payments) {
		try {
			this.batch.execute(payments, (payment) -> this.ledger.book(payment.getPayload()));
		}
		catch (BatchItemException ex) {
			if (ex.failures().values().stream().anyMatch(AmqpBatchPayments::isTemporary)) {
				throw ex;
			}
			ex.failures()
				.keySet()
				.forEach((index) -> this.amqp.convertAndSend(FAILED, (Object) payments.get(index).getPayload()));
		}
	}

	private static boolean isTemporary(Throwable failure) {
		return failure instanceof SubmissionRefusedException refused
				&& (refused.refusal() == Refusal.IN_PROGRESS || refused.refusal() == Refusal.STORE_UNAVAILABLE);
	}

}
