package com.example.shop;

import io.idempotent.Refusal;
import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyKey;
import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyToken;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.notReplayed;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.refused;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Tests with {@code MockMvc} that know nothing of keys pass, and what a test sends by
 * itself is kept.
 */
@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureIdempotency(addKeys = true)
class ExistingMvcTests {

	@Autowired
	private MockMvc mvc;

	@Test
	void sameOrdersWithoutKeysAreTwoOrders() throws Exception {
		for (int i = 0; i < 2; i++) {
			this.mvc.perform(post("/orders").content("tea")).andExpectAll(status().isCreated(), notReplayed());
		}
	}

	@Test
	void sameFormsWithoutTokensAreTwoReviews() throws Exception {
		for (int i = 0; i < 2; i++) {
			this.mvc.perform(post("/reviews").content("good")).andExpectAll(status().isOk(), notReplayed());
		}
	}

	@Test
	void aKeyOfTheTestIsKept() throws Exception {
		RequestPostProcessor key = idempotencyKey();
		this.mvc.perform(post("/orders").with(key).content("tea")).andExpectAll(status().isCreated(), notReplayed());
		this.mvc.perform(post("/orders").with(key).content("tea")).andExpectAll(status().isCreated(), replayed());
	}

	@Test
	void aParameterIsContent() throws Exception {
		RequestPostProcessor key = idempotencyKey();
		this.mvc.perform(post("/orders").with(key).param("gift", "yes").content("tea")).andExpect(status().isCreated());
		this.mvc.perform(post("/orders").with(key).param("gift", "no").content("tea"))
			.andExpect(refused(Refusal.KEY_REUSED));
	}

	@Test
	void aTokenOfTheTestIsKept() throws Exception {
		RequestPostProcessor token = idempotencyToken();
		this.mvc.perform(post("/reviews").with(token).content("good")).andExpectAll(status().isOk(), notReplayed());
		this.mvc.perform(post("/reviews").with(token).content("good")).andExpectAll(status().isOk(), replayed());
	}

}
