package io.idempotent.webmvc;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.test.AutoConfigureIdempotency;
import io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.notReplayed;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.asyncDispatch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.request;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/** {@code asyncDispatch} dispatches a request without the wrappers of filters. */
@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureIdempotency
@DirtiesContext
class MockMvcAsyncTests {

	@Autowired
	private MockMvc mvc;

	@ParameterizedTest
	@ValueSource(strings = { "/open/callable", "/open/future" })
	void anAsynchronousResponseIsReplayed(String path) throws Exception {
		RequestPostProcessor key = IdempotencyMockMvcRequestPostProcessors.idempotencyKey();
		MvcResult started = this.mvc.perform(post(path).with(key).contentType(MediaType.APPLICATION_JSON).content("7"))
			.andExpect(request().asyncStarted())
			.andReturn();
		MvcResult first = this.mvc.perform(asyncDispatch(started))
			.andExpectAll(status().isOk(), notReplayed())
			.andReturn();
		this.mvc.perform(post(path).with(key).contentType(MediaType.APPLICATION_JSON).content("7"))
			.andExpectAll(status().isOk(), replayed(), content().string(first.getResponse().getContentAsString()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ TestSecurity.class, Orders.class })
	static class Application {

	}

	@RestController
	static class Orders {

		private final AtomicInteger placed = new AtomicInteger();

		@PostMapping("/open/callable")
		@ApiIdempotent(KeySource.HEADER)
		Callable<Integer> callable(@RequestBody int amount) {
			return () -> this.placed.addAndGet(amount);
		}

		@PostMapping("/open/future")
		@ApiIdempotent(KeySource.HEADER)
		CompletableFuture<Integer> future(@RequestBody int amount) {
			return CompletableFuture.supplyAsync(() -> this.placed.addAndGet(amount));
		}

	}

}
