package com.example.orders;

import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyToken;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.redirectedUrl;

@WebMvcTest(CheckoutController.class)
@Import(Orders.class)
@AutoConfigureIdempotency
class CheckoutControllerTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private Orders orders;

	@Test
	void theFormHasAToken() throws Exception {
		this.mvc.perform(get("/checkout")).andExpect(content().string(containsString("name=\"_idempotentToken\"")));
	}

	@Test
	void aDoubleClickIsOneOrder() throws Exception {
		RequestPostProcessor token = idempotencyToken();
		this.mvc.perform(post("/checkout").with(token).formField("item", "oolong"))
			.andExpect(redirectedUrl("/orders?placed=1"));
		this.mvc.perform(post("/checkout").with(token).formField("item", "oolong"))
			.andExpectAll(redirectedUrl("/orders?placed=1"), replayed());
		assertThat(this.orders.all()).hasSize(1);
	}

}
