package io.idempotent.boot;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler method that asks for the context of its submission, without the library.
 */
@Tag("slow")
class SwitchedOffWebMvcTests {

	@Test
	void theContextIsAbsent() {
		try (var shop = StartUp.run(List.of(Orders.class), "idempotent.enabled=false")) {
			String port = shop.getEnvironment().getRequiredProperty("local.server.port");
			assertThat(RestClient.create("http://localhost:" + port)
				.post()
				.uri("/orders")
				.header("Idempotency-Key", "same")
				.retrieve()
				.body(String.class)).isEqualTo("context: null");
		}
	}

	@RestController
	static class Orders {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		String place(@Nullable IdempotencyContext context) {
			return "context: " + context;
		}

	}

}
