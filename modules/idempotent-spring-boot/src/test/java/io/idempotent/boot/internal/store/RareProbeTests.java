package io.idempotent.boot.internal.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.boot.internal.store.RareProbe.Answer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RareProbeTests {

	private static final Duration LONG = Duration.ofSeconds(10);

	private final AtomicInteger asked = new AtomicInteger();

	@Test
	void aRecentResultIsReturnedAgain() {
		RareProbe<Integer> probe = new RareProbe<>("probe", LONG, this.asked::incrementAndGet);
		assertThat(probe.ask(LONG)).isEqualTo(new Answer.Given<>(1));
		assertThat(probe.ask(LONG)).isEqualTo(new Answer.Given<>(1));
	}

	@Test
	void anOldResultIsNotReturnedAgain() {
		RareProbe<Integer> probe = new RareProbe<>("probe", Duration.ZERO, this.asked::incrementAndGet);
		assertThat(probe.ask(LONG)).isEqualTo(new Answer.Given<>(1));
		assertThat(probe.ask(LONG)).isEqualTo(new Answer.Given<>(2));
	}

	@Test
	void aFailureIsAResult() {
		IllegalStateException failure = new IllegalStateException("refused");
		RareProbe<Integer> probe = new RareProbe<>("probe", LONG, () -> {
			throw failure;
		});
		assertThat(probe.ask(LONG)).isEqualTo(new Answer.Failed<>(failure));
	}

	@Test
	void checksDoNotRunConcurrently() throws Exception {
		CountDownLatch hang = new CountDownLatch(1);
		RareProbe<Integer> probe = new RareProbe<>("probe", LONG, () -> {
			hang.await();
			return this.asked.incrementAndGet();
		});
		assertThat(probe.ask(Duration.ofMillis(20))).isInstanceOf(Answer.Pending.class);
		assertThat(probe.ask(Duration.ZERO)).isInstanceOf(Answer.Pending.class);
		hang.countDown();
		assertThat(probe.ask(LONG)).isEqualTo(new Answer.Given<>(1));
	}

}
