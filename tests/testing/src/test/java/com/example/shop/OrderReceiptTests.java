package com.example.shop;

import java.util.UUID;

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

	private final String key = UUID.randomUUID().toString();

	@Test
	void anOrderIsCommittedWithItsReceipt() {
		assertThat(place()).hasStatus(201);
		assertThat(this.store).record().isCompleted().hasReceipt();
	}

	@Test
	void anOrderIsPlacedOnceThoughItsRecordIsLost() {
		long before = this.orders.count();
		assertThat(place()).hasStatus(201);
		this.store.reset();
		assertThat(place()).matches(refused(Refusal.RESPONSE_UNAVAILABLE));
		assertThat(this.orders.count()).isEqualTo(before + 1);
	}

	private MvcTestResult place() {
		return this.mvc.post().uri("/orders").with(idempotencyKey(this.key)).content("tea").exchange();
	}

}
