package com.example.shop;

import io.idempotent.test.AutoConfigureIdempotency;
import io.idempotent.test.TestIdempotencyStore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

@SpringJUnitConfig(StockService.class)
@AutoConfigureIdempotency
class StockServiceTests {

	@Autowired
	private StockService stock;

	@Autowired
	private TestIdempotencyStore store;

	@Test
	void aDeliveryIsReceivedOnce() {
		int before = this.stock.count();
		assertThat(this.stock.receive("delivery-1", 10)).isEqualTo(before + 10);
		assertThat(this.stock.receive("delivery-1", 10)).isEqualTo(before + 10);
		assertThat(this.stock.count()).isEqualTo(before + 10);
		assertThat(this.store).record("StockService.receive").isCompleted();
	}

}
