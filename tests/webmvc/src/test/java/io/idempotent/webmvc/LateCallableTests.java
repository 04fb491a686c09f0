package io.idempotent.webmvc;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A {@link Callable} that returns while its time-out is being answered.
 */
class LateCallableTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Slow.class, "spring.mvc.async.request-timeout=500ms");

	@Test
	void whatHasReturnedBeforeTheClaimEndedIsNotRunAgain() {
		String key = TestServer.newKey();
		assertThat(server.submit("/slow", key).statusCode()).isEqualTo(503);
		assertThat(Slow.runs).hasValue(1);
		await().until(() -> !TestServer.code(server.submit("/slow", key)).equals("in-progress"));
		assertThat(Slow.runs).as("it had returned before the request ended").hasValue(1);
		assertThat(TestServer.code(server.submit("/slow", key))).isEqualTo("response-unavailable");
	}

	@RestController
	static class Slow {

		static final AtomicInteger runs = new AtomicInteger();

		private final CountDownLatch timedOut = new CountDownLatch(1);

		/** As a statement of JDBC, it does not notice the interrupt. */
		@ApiIdempotent(value = KeySource.HEADER, lease = "1s")
		@PostMapping("/slow")
		Callable<String> slow() {
			return () -> {
				while (this.timedOut.getCount() > 0) {
					Thread.onSpinWait();
				}
				Thread.interrupted();
				return "run " + runs.incrementAndGet();
			};
		}

		@ExceptionHandler
		ResponseEntity<String> timeOut(AsyncRequestTimeoutException ex) throws InterruptedException {
			this.timedOut.countDown();
			Thread.sleep(300);
			return ResponseEntity.status(503).body("late");
		}

	}

}
