package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One key has one effect across the API versions of Spring Framework, and one response.
 */
class ApiVersionTests {

	private static final AtomicInteger EFFECTS = new AtomicInteger();

	@RegisterExtension
	static final TestServer server = TestServer.of(Payments.class, "spring.mvc.apiversion.use.header=API-Version",
			"spring.mvc.apiversion.supported=1.0,1.1,2.0", "spring.mvc.apiversion.default=1.0");

	@BeforeEach
	void forget() {
		EFFECTS.set(0);
	}

	private static HttpResponse<byte[]> pay(String version, String header, String key) {
		return server.send(server.post("/payments", "{}").header("API-Version", version).header(header, key));
	}

	@ParameterizedTest
	@CsvSource({ "1.0,1.1", "1.1,1.0", "1.0,2.0", "2.0,1.1" })
	void aKeyIsNotUsedAgainUnderAnotherVersion(String first, String second) {
		String key = first + "-" + second;
		assertThat(TestServer.text(pay(first, "Idempotency-Key", key))).endsWith("1");
		HttpResponse<byte[]> other = pay(second, "Idempotency-Key", key);
		assertThat(other.statusCode()).isEqualTo(422);
		assertThat(TestServer.code(other)).isEqualTo("key-reused");
		assertThat(TestServer.isReplayed(pay(first, "Idempotency-Key", key))).isTrue();
		assertThat(EFFECTS).hasValue(1);
	}

	@Test
	void aVersionIsTheSameHoweverItIsWritten() {
		assertThat(pay("1", "Idempotency-Key", "written").statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(pay("1.0.0", "Idempotency-Key", "written"))).isTrue();
		assertThat(
				TestServer.isReplayed(server.send(server.post("/payments", "{}").header("Idempotency-Key", "written"))))
			.isTrue();
		assertThat(EFFECTS).hasValue(1);
	}

	@Test
	void aTokenIsNotUsedAgainUnderAnotherVersion() {
		String token = server.token();
		assertThat(refund("1.0", token).statusCode()).isEqualTo(200);
		assertThat(refund("1.1", token).statusCode()).isEqualTo(422);
		assertThat(refund("2.0", token).statusCode()).isEqualTo(422);
		assertThat(EFFECTS).hasValue(1);
	}

	private static HttpResponse<byte[]> refund(String version, String token) {
		return server
			.send(server.post("/refunds", "{}").header("API-Version", version).header("Idempotent-Token", token));
	}

	@RestController
	static class Payments {

		@PostMapping(path = "/payments", version = "1.0+")
		@ApiIdempotent(KeySource.HEADER)
		String pay() {
			return "paid " + EFFECTS.incrementAndGet();
		}

		@PostMapping(path = "/payments", version = "2.0")
		@ApiIdempotent(KeySource.HEADER)
		String payInTwo() {
			return "version 2 paid " + EFFECTS.incrementAndGet();
		}

		@PostMapping(path = "/refunds", version = "1.0+")
		@ApiIdempotent
		String refund() {
			return "refunded " + EFFECTS.incrementAndGet();
		}

		@PostMapping(path = "/refunds", version = "2.0")
		@ApiIdempotent
		String refundInTwo() {
			return "version 2 refunded " + EFFECTS.incrementAndGet();
		}

	}

}
