package io.idempotent.webmvc;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.annotation.RequestScope;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A controller of another scope than singleton.
 */
class ScopedControllerTests {

	@Test
	void aControllerOfRequestScopeTakesEffectOnce() {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				TestServer server = TestServer.start(redis, PerRequest.class)) {
			HttpResponse<byte[]> first = submit(server);
			HttpResponse<byte[]> second = submit(server);
			assertThat(first.statusCode()).isEqualTo(200);
			assertThat(TestServer.isReplayed(second)).isTrue();
			assertThat(second.body()).isEqualTo(first.body());
			assertThat(PerRequest.runs).hasValue(1);
		}
	}

	private static HttpResponse<byte[]> submit(TestServer server) {
		return server.send(server.request("/scoped").header("Idempotency-Key", "k").POST(BodyPublishers.noBody()));
	}

	@RestController
	@RequestScope
	static class PerRequest {

		static final AtomicInteger runs = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/scoped")
		String create() {
			return "run " + runs.incrementAndGet();
		}

	}

}
