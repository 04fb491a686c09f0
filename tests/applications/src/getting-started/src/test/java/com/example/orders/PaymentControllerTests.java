package com.example.orders;

import io.idempotent.Refusal;
import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyKey;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.notReplayed;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.refused;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

@WebMvcTest(PaymentController.class)
@AutoConfigureIdempotency
class PaymentControllerTests {

	@Autowired
	private MockMvc mvc;

	@Test
	void aRepeatGetsTheFirstResponse() throws Exception {
		pay("key-1", 7).andExpectAll(status().isCreated(), notReplayed());
		pay("key-1", 7).andExpectAll(status().isCreated(), replayed());
	}

	@Test
	void aKeyWithOtherContentIsRefused() throws Exception {
		pay("key-1", 7).andExpect(status().isCreated());
		pay("key-1", 8).andExpect(refused(Refusal.KEY_REUSED));
	}

	private ResultActions pay(String key, int order) throws Exception {
		return this.mvc.perform(post("/payments").with(idempotencyKey(key))
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"order\":%d}".formatted(order)));
	}

}
