package io.idempotent.boot;

import java.time.Duration;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler method that asks for the context of its submission runs without the library,
 * too.
 */
@WebMvcTest(controllers = SwitchedOffWebMvcTests.Orders.class,
		properties = { "idempotent.enabled=false", "spring.application.name=shop" })
@AutoConfigureMockMvc
@DirtiesContext
class SwitchedOffWebMvcTests {

	@Autowired
	private MockMvcTester mvc;

	@Test
	void eachRequestIsAnOperationOfItsOwn() {
		String first = place();
		assertThat(first).matches("Orders.place 0 false [A-Za-z0-9_-]{43} [A-Za-z0-9_-]{43} done");
		assertThat(place()).isNotEqualTo(first);
	}

	private String place() {
		var answer = this.mvc.post().uri("/orders").header("Idempotency-Key", "same").exchange();
		assertThat(answer).hasStatusOk();
		return new String(answer.getResponse().getContentAsByteArray(), java.nio.charset.StandardCharsets.UTF_8);
	}

	@SpringBootApplication
	@Import(Orders.class)
	static class Shop {

	}

	@RestController
	static class Orders {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		String place(IdempotencyContext context) throws Exception {
			context.doNotStoreAnswer();
			context.retainFor(Duration.ofDays(1));
			assertThat(context.derivedKey("charge")).isEqualTo(context.derivedKey("charge"))
				.isNotEqualTo(context.derivedKey("ship"));
			return context.operation() + ' ' + context.attempt() + ' ' + context.isClaimLost() + ' ' + context.key()
					+ ' ' + context.derivedKey("charge") + ' ' + context.wrap(() -> "done").call();
		}

	}

}
