package io.idempotent.messaging;

import org.springframework.context.annotation.Bean;

/**
 * Books payments from JMS.
 */
class JmsShop extends Shop {

	@Bean
	JmsPayments payments(Ledger ledger) {
		return new JmsPayments(ledger);
	}

}
