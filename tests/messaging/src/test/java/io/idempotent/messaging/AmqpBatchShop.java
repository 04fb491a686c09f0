package io.idempotent.messaging;

import io.idempotent.method.IdempotentBatches;

import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.Queue;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Books payments from RabbitMQ in batches.
 */
class AmqpBatchShop extends Shop {

	@Bean
	AmqpBatchPayments payments(IdempotentBatches batches, PlatformTransactionManager transactions, Ledger ledger,
			AmqpTemplate amqp) {
		return new AmqpBatchPayments(batches, transactions, ledger, amqp);
	}

	@Bean
	Queue failedPayments() {
		return new Queue(AmqpBatchPayments.FAILED);
	}

}
