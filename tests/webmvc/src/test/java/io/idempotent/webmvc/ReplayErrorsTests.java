package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.webmvc.internal.operation.ErrorStatuses;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * An operation may have its errors recorded and replayed, as some payment services do.
 */
class ReplayErrorsTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Payments.class,
			"idempotent.operations[Payments.byProperty].replay-errors=402,5xx");

	@ParameterizedTest
	@CsvSource({ "/declined, 402", "/mapped, 409", "/thrown-status, 410", "/thrown, 500", "/later, 500",
			"/by-property, 503" })
	void anErrorOfAChosenStatusIsReplayed(String path, int status) {
		int before = Payments.runs.get();
		String key = UUID.randomUUID().toString();
		HttpResponse<byte[]> first = submit(path, key, "{\"amount\":1}");
		HttpResponse<byte[]> second = submit(path, key, "{\"amount\":1}");
		assertThat(first.statusCode()).isEqualTo(status);
		assertThat(second.statusCode()).isEqualTo(status);
		assertThat(TestServer.isReplayed(second)).isTrue();
		assertThat(withoutTime(second)).isEqualTo(withoutTime(first));
		assertThat(Payments.runs).hasValue(before + 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/other", "/undeclared" })
	void anErrorOfAnotherStatusReleasesTheKey(String path) {
		int before = Payments.runs.get();
		String key = UUID.randomUUID().toString();
		submit(path, key, "{\"amount\":1}");
		assertThat(TestServer.isReplayed(submit(path, key, "{\"amount\":1}"))).isFalse();
		assertThat(Payments.runs).hasValue(before + 2);
	}

	@Test
	void aValidationThatFailsBeforeTheOperationIsNotRecorded() {
		String key = UUID.randomUUID().toString();
		assertThat(submit("/declined", key, "{\"amount\":-1}").statusCode()).isEqualTo(400);
		assertThat(submit("/declined", key, "{\"amount\":1}").statusCode()).isEqualTo(402);
	}

	@Test
	void onlyErrorStatusesAreAccepted() {
		for (String wrong : new String[] { "200", "3xx", "6xx", "", "4x", "400 " }) {
			assertThatIllegalArgumentException().isThrownBy(() -> ErrorStatuses.of(List.of(wrong)))
				.withMessageContaining("\"" + wrong + "\"");
		}
	}

	private static String withoutTime(HttpResponse<byte[]> response) {
		return TestServer.text(response).replaceAll("\"timestamp\":\"[^\"]*\"", "");
	}

	private static HttpResponse<byte[]> submit(String path, String key, String body) {
		return server.send(server.post(path, body).header("Idempotency-Key", key));
	}

	@RestController
	static class Payments {

		static final AtomicInteger runs = new AtomicInteger();

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "4xx")
		@PostMapping("/declined")
		ResponseEntity<String> declined(@RequestBody @Valid Payment payment) {
			return ResponseEntity.status(402).header("X-Reason", "card").body("declined " + runs.incrementAndGet());
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "409")
		@PostMapping("/mapped")
		ResponseEntity<String> mapped() {
			runs.incrementAndGet();
			throw new UnsupportedOperationException("planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = { "410", "409" })
		@PostMapping("/thrown-status")
		ResponseEntity<String> thrownStatus() {
			runs.incrementAndGet();
			throw new ResponseStatusException(HttpStatus.GONE, "planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "5xx")
		@PostMapping("/thrown")
		ResponseEntity<String> thrown() {
			runs.incrementAndGet();
			throw new IllegalStateException("planned");
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "5xx")
		@PostMapping("/later")
		Callable<String> later() {
			return () -> {
				runs.incrementAndGet();
				throw new IllegalStateException("planned");
			};
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/by-property")
		ResponseEntity<String> byProperty() {
			return ResponseEntity.status(503).body("away " + runs.incrementAndGet());
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "5xx")
		@PostMapping("/other")
		ResponseEntity<String> other() {
			return ResponseEntity.status(409).body("no " + runs.incrementAndGet());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/undeclared")
		ResponseEntity<String> undeclared() {
			return ResponseEntity.status(500).body("no " + runs.incrementAndGet());
		}

		@ExceptionHandler(UnsupportedOperationException.class)
		ResponseEntity<String> conflict(UnsupportedOperationException ex) {
			return ResponseEntity.status(409).body("conflict");
		}

	}

	/**
	 * A payment.
	 */
	public record Payment(@Positive int amount) {
	}

}
