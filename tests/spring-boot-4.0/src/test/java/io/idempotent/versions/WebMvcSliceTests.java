package io.idempotent.versions;

import io.idempotent.versions.OrderApplication.ApiController;
import io.idempotent.versions.OrderApplication.NewOrder;
import io.idempotent.versions.OrderApplication.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyKey;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.notReplayed;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;

/**
 * A slice of an application has idempotency, with records in memory.
 */
@Tag("slow")
@WebMvcTest(ApiController.class)
class WebMvcSliceTests {

	@Autowired
	private MockMvc mvc;

	@MockitoBean
	private Orders orders;

	@Test
	void aHandlerRunsOnce() throws Exception {
		given(this.orders.place(new NewOrder("tea"))).willReturn(new Order(1, "tea"));
		order().andExpectAll(jsonPath("$.id").value(1), notReplayed());
		order().andExpectAll(jsonPath("$.id").value(1), replayed());
		then(this.orders).should().place(new NewOrder("tea"));
	}

	private ResultActions order() throws Exception {
		return this.mvc.perform(post("/orders/header").with(idempotencyKey("one"))
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"article\":\"tea\"}"));
	}

}
