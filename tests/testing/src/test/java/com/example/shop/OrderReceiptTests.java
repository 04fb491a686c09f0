package com.example.shop;

import io.idempotent.Refusal;
import io.idempotent.test.AutoConfigureIdempotency;
import io.idempotent.test.TestIdempotencyStore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyKey;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.refused;
import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureIdempotency
class OrderReceiptTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private OrderService orders;

	@Autowired
	private TestIdempotencyStore store;

	@Test
	void anOrderIsCommittedWithItsReceipt() {
		assertThat(place("a")).hasStatus(201);
		assertThat(this.store).record().isCompleted().hasReceipt();
	}

	@Test
	void anOrderIsPlacedOnceThoughItsRecordIsLost() {
		long before = this.orders.count();
		assertThat(place("b")).hasStatus(201);
		this.store.reset();
		assertThat(place("b")).matches(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.orders.count()).isEqualTo(before + 1);
	}

	private MvcTestResult place(String key) {
		return this.mvc.post().uri("/orders").with(idempotencyKey(key)).content("tea").exchange();
	}

}
