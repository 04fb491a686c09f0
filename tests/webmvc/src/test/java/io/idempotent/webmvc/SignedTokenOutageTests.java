package io.idempotent.webmvc;

import java.net.http.HttpResponse;

import io.idempotent.ApiIdempotent;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tokens that are signed with a secret of the store, while the store is away.
 */
class SignedTokenOutageTests {

	private static final String SIGNED = "idempotent.token.mode=signed";

	@Test
	void aNodeWithoutTheSecretRefusesATokenLikeAClaim() {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				TestServer server = TestServer.start(redis, Orders.class, SIGNED);
				TestServer other = TestServer.start(redis, Orders.class, SIGNED)) {
			String token = server.token();
			redis.stop();
			assertRefused(order(server, token));
			assertRefused(order(other, token));
			assertRefused(order(other, token.substring(0, token.indexOf('.') + 1) + "A".repeat(76)));
		}
	}

	private static HttpResponse<byte[]> order(TestServer server, String token) {
		return server.send(server.post("/orders", "{}").header("Idempotent-Token", token));
	}

	private static void assertRefused(HttpResponse<byte[]> response) {
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(TestServer.code(response)).isEqualTo("store-unavailable");
	}

	@RestController
	static class Orders {

		@ApiIdempotent
		@PostMapping("/orders")
		String create() {
			return "ordered";
		}

	}

}
