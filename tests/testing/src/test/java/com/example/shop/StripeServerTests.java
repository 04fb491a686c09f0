package com.example.shop;

import java.util.function.Consumer;

import io.idempotent.Refusal;
import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.servlet.client.RestTestClient;

import static io.idempotent.test.web.IdempotencyRestTestClientSupport.idempotencyKey;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.notReplayed;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.refused;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.replayed;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The expectations of a client that is bound to a server, in a profile with other names.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "idempotent.web.profile=stripe")
@AutoConfigureIdempotency
@Tag("slow")
class StripeServerTests {

	private static final String HEADER = "Idempotent-Replayed";

	@Test
	void aReplayHasTheHeaderOfTheProfile(@LocalServerPort int port) {
		RestTestClient client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
		Consumer<HttpHeaders> key = idempotencyKey();
		client.post().uri("/orders").headers(key).body("tea").exchange().expectAll(notReplayed());
		client.post().uri("/orders").headers(key).body("tea").exchange().expectAll(replayed(HEADER));
		client.post().uri("/orders").headers(key).body("mate").exchange().expectAll(refused(Refusal.KEY_REUSED));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> client.post()
			.uri("/orders")
			.headers(key)
			.body("mate")
			.exchange()
			.expectAll(refused(Refusal.IN_PROGRESS)));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(
				() -> client.post().uri("/orders").headers(key).body("tea").exchange().expectAll(notReplayed()));
	}

}
