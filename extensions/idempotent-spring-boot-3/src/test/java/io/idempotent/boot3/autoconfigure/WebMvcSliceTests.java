package io.idempotent.boot3.autoconfigure;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyKey;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.notReplayed;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;

/** A slice of Spring Boot 3 has idempotency as one of Spring Boot 4 has. */
@WebMvcTest
@DirtiesContext
@Import({ WebMvcSliceTests.Counter.class, WebMvcSliceTests.CountController.class })
class WebMvcSliceTests {

	@Autowired
	private MockMvc mvc;

	@Test
	void aHandlerRunsOnce() throws Exception {
		this.mvc.perform(post("/count").with(idempotencyKey("one"))).andExpectAll(content().string("1"), notReplayed());
		this.mvc.perform(post("/count").with(idempotencyKey("one"))).andExpectAll(content().string("1"), replayed());
	}

	@Test
	void aMethodRunsOnce() throws Exception {
		this.mvc.perform(post("/once")).andExpect(content().string("Total[count=1]"));
		this.mvc.perform(post("/once")).andExpect(content().string("Total[count=1]"));
	}

	@SpringBootApplication
	static class Application {

	}

	@RestController
	static class CountController {

		private final Counter counter;

		private int count;

		CountController(Counter counter) {
			this.counter = counter;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/count")
		String count() {
			return String.valueOf(++this.count);
		}

		@PostMapping("/once")
		String once() {
			return this.counter.once("key").toString();
		}

	}

	static class Counter {

		private int count;

		@Idempotent(key = "#key")
		Total once(String key) {
			return new Total(++this.count);
		}

	}

	record Total(int count) {
	}

}
