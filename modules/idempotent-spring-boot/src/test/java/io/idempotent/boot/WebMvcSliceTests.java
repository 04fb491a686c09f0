package io.idempotent.boot;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.local.LocalIdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A duplicate in a {@code @WebMvcTest} is one, without Redis and without a database.
 */
@WebMvcTest(controllers = WebMvcSliceTests.Orders.class,
		properties = { "idempotent.guard.enabled=true", "spring.application.name=shop",
				"idempotent.operations[Elsewhere.create].lease=1m" })
@AutoConfigureMockMvc
@ExtendWith(OutputCaptureExtension.class)
@DirtiesContext
class WebMvcSliceTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private IdempotencyStore store;

	@Test
	void aDuplicateGetsTheAnswerOfTheFirst() {
		String key = UUID.randomUUID().toString();
		assertThat(place(key)).hasStatusOk().hasBodyTextEqualTo("1");
		assertThat(place(key)).hasStatusOk().hasBodyTextEqualTo("1").headers().hasValue("Idempotency-Replayed", "true");
		assertThat(place(UUID.randomUUID().toString())).hasBodyTextEqualTo("2");
	}

	@Test
	void recordsAreInTheMemoryOfTheTest() {
		assertThat(this.store).isInstanceOf(LocalIdempotencyStore.class);
	}

	@Test
	void operationsOutsideOfTheSliceAreNotRequired(CapturedOutput output) {
		assertThat(output).doesNotContain("No annotated operation");
	}

	private MvcTestResult place(String key) {
		return this.mvc.post().uri("/orders").header("Idempotency-Key", key).exchange();
	}

	@SpringBootApplication
	@Import(Orders.class)
	static class Shop {

	}

	@RestController
	static class Orders {

		private final AtomicInteger placed = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		int place() {
			return this.placed.incrementAndGet();
		}

	}

}
