package io.idempotent.webmvc;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the container does not parse multipart requests, their bytes count.
 */
class UnparsedMultipartTests {

	@Test
	void theHandlerReadsTheBodyAndItsBytesAreTheContent() {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				TestServer server = TestServer.start(redis, Raw.class, "spring.servlet.multipart.enabled=false")) {
			HttpResponse<byte[]> first = submit(server, "--b\r\n\r\nx\r\n--b--");
			assertThat(TestServer.text(first)).isEqualTo("15 bytes");
			assertThat(TestServer.isReplayed(submit(server, "--b\r\n\r\nx\r\n--b--"))).isTrue();
			assertThat(TestServer.code(submit(server, "--b\r\n\r\ny\r\n--b--"))).isEqualTo("key-reused");
			assertThat(Raw.runs).hasValue(1);
		}
	}

	private static HttpResponse<byte[]> submit(TestServer server, String body) {
		return server.send(server.request("/raw")
			.header("Content-Type", "multipart/form-data; boundary=b")
			.header("Idempotency-Key", "k")
			.POST(BodyPublishers.ofString(body)));
	}

	@RestController
	static class Raw {

		static final AtomicInteger runs = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/raw")
		String raw(@RequestBody byte[] body) {
			runs.incrementAndGet();
			return body.length + " bytes";
		}

	}

}
