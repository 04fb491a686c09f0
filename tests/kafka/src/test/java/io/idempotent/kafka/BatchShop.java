package io.idempotent.kafka;

import io.idempotent.method.IdempotentBatches;

import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Books payments in batches.
 */
class BatchShop extends Shop {

	@Bean
	BatchListener batchListener(IdempotentBatches batches, PlatformTransactionManager transactions, Ledger ledger) {
		return new BatchListener(batches, transactions, ledger);
	}

}
