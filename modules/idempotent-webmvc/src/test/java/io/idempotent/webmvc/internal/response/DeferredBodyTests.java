package io.idempotent.webmvc.internal.response;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import io.idempotent.function.ThrowingConsumer;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flushes of a response that two threads write.
 */
class DeferredBodyTests {

	private final DeferredBody body = new DeferredBody(new MockHttpServletResponse(), 100);

	@Test
	void toDrainAWriterIsNoFlush() throws Exception {
		PrintWriter writer = writer();
		writer.print("a");
		this.body.drain(writer);
		assertThat(this.body.size()).isOne();
		assertThat(this.body.isFlushedOrClosed()).isFalse();
	}

	@Test
	void theFlushOfAnotherThreadCountsWhileAWriterIsDrained() throws Exception {
		drainWhile((other) -> other.flush());
		assertThat(this.body.isFlushedOrClosed()).isTrue();
	}

	@Test
	void twoThreadsMayDrainAtTheSameTime() throws Exception {
		drainWhile((other) -> other.drain(writer()));
		assertThat(this.body.isFlushedOrClosed()).isFalse();
	}

	private PrintWriter writer() {
		return new PrintWriter(this.body, false, StandardCharsets.UTF_8);
	}

	/** Before the drained writer flushes the body, another thread acts. */
	private void drainWhile(ThrowingConsumer<DeferredBody, Exception> action) {
		this.body.drain(new PrintWriter(this.body, false, StandardCharsets.UTF_8) {

			@Override
			public void flush() {
				CompletableFuture.runAsync(() -> {
					try {
						action.accept(DeferredBodyTests.this.body);
					}
					catch (Exception ex) {
						throw new IllegalStateException(ex);
					}
				}, (task) -> new Thread(task).start()).join();
				super.flush();
			}

		});
	}

}
