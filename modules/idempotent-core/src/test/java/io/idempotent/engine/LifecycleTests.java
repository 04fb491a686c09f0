package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.SubmissionObserver.Entrance;
import io.idempotent.engine.claim.Submission;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A process that stands still after its claim, and goes on when its lease has ended.
 */
class LifecycleTests {

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final Lifecycle lifecycle = new Lifecycle(this.gate.gate(), TestPolicy.lease(Duration.ofSeconds(1)));

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeEach
	void enter() {
		Submission submission = TestGate.submission("1");
		this.lifecycle.decided(submission, this.lifecycle.enter(Entrance.METHOD, submission));
	}

	@Test
	void anOperationDoesNotBeginAfterItsLease() {
		standStill();
		refused(() -> this.lifecycle.run(() -> null, this.runs::incrementAndGet));
		assertThat(this.runs).hasValue(0);
	}

	@Test
	void anOperationBeginsIfTheStoreStillRenewsItsLease() {
		standStill();
		this.gate.store().comeBack();
		this.lifecycle.run(() -> null, this.runs::incrementAndGet);
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void aPartOfItDoesNotBeginAfterItsLease() {
		this.lifecycle.run(() -> null, this.runs::incrementAndGet);
		standStill();
		refused(() -> this.lifecycle.resume(() -> null, this.runs::incrementAndGet));
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void aRetriedBodyDoesNotBeginAfterTheLease() {
		refused(() -> this.lifecycle.run(() -> null, () -> {
			this.lifecycle.bodyBegins();
			standStill();
			this.lifecycle.bodyBegins();
			return this.runs.incrementAndGet();
		}));
		assertThat(this.runs).hasValue(0);
	}

	private void standStill() {
		this.gate.store().goDown();
		await().until(this.lifecycle.context()::isClaimLost);
	}

	private static void refused(ThrowingCallable code) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(code)
			.extracting(SubmissionRefusedException::refusal)
			.isEqualTo(Refusal.IN_PROGRESS);
	}

}
