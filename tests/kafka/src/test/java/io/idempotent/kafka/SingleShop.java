package io.idempotent.kafka;

import org.springframework.context.annotation.Bean;

/**
 * Books payments one by one.
 */
class SingleShop extends Shop {

	@Bean
	PaymentListener paymentListener(Ledger ledger) {
		return new PaymentListener(ledger);
	}

}
