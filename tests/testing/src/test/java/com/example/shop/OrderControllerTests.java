package com.example.shop;

import io.idempotent.Refusal;
import io.idempotent.test.AutoConfigureIdempotency;
import io.idempotent.test.TestIdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyKey;
import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyToken;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.notReplayed;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.refused;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.Mockito.only;
import static org.mockito.Mockito.verify;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

@WebMvcTest(OrderController.class)
@AutoConfigureIdempotency
@ExtendWith(OutputCaptureExtension.class)
class OrderControllerTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private TestIdempotencyStore store;

	@MockitoBean
	private OrderService orders;

	@Test
	void aDuplicateGetsTheAnswerOfTheFirst() throws Exception {
		RequestPostProcessor key = idempotencyKey();
		this.mvc.perform(post("/orders").with(key).content("tea")).andExpectAll(status().isCreated(), notReplayed());
		this.mvc.perform(post("/orders").with(key).content("tea")).andExpectAll(status().isCreated(), replayed());
		verify(this.orders, only()).place("tea");
		assertThat(this.store).record("OrderController.place").isCompleted().hasAttempt(1);
	}

	@Test
	void aFormIsSentOnce() throws Exception {
		RequestPostProcessor token = idempotencyToken();
		this.mvc.perform(post("/reviews").with(token).content("good")).andExpectAll(status().isOk(), notReplayed());
		this.mvc.perform(post("/reviews").with(token).content("good")).andExpectAll(status().isOk(), replayed());
	}

	@Test
	void aMockMvcThatATestBuildsNeedsTheFilter(@Autowired WebApplicationContext context) throws Exception {
		DefaultMockMvcBuilder builder = MockMvcBuilders.webAppContextSetup(context);
		assertThatException().isThrownBy(() -> builder.build().perform(post("/orders").with(idempotencyKey())))
			.withMessageContaining("a test that builds MockMvc adds the filter by addFilters");
		FilterRegistrationBean<?> filter = context.getBean("io.idempotent.idempotencyFilter",
				FilterRegistrationBean.class);
		MockMvc built = builder.addFilters(filter.getFilter()).build();
		built.perform(post("/orders").with(idempotencyKey()).content("tea")).andExpect(status().isCreated());
	}

	@Test
	void aKeyWithOtherContentIsRefused() throws Exception {
		this.mvc.perform(post("/orders").with(idempotencyKey("k")).content("tea")).andExpect(status().isCreated());
		this.mvc.perform(post("/orders").with(idempotencyKey("k")).content("mate"))
			.andExpect(refused(Refusal.KEY_REUSED));
	}

	@Test
	@DirtiesContext
	void anOrderWithoutKeyIsRefusedAndTheLogSaysOnceHowToAddKeys(CapturedOutput output) throws Exception {
		for (int i = 0; i < 2; i++) {
			this.mvc.perform(post("/orders").content("tea")).andExpect(refused(Refusal.KEY_MISSING));
		}
		assertThat(output).containsOnlyOnce("refused, since it has no key: with idempotent.test.add-keys=true");
		assertThat(this.store).hasNoRecords();
	}

}
