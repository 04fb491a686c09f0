package com.example.orders;

import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

@SpringJUnitConfig(Billing.class)
@AutoConfigureIdempotency
class BillingTests {

	@Autowired
	private Billing billing;

	@Test
	void anOrderHasOneInvoice() {
		int invoice = this.billing.bill(7);
		assertThat(this.billing.bill(7)).isEqualTo(invoice);
		assertThat(this.billing.bill(8)).isNotEqualTo(invoice);
	}

}
