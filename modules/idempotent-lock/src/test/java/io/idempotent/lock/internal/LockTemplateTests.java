package io.idempotent.lock.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.LockTemplate.UnlockTiming;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.TestLocks.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * What runs under a lock, and which exception wins.
 */
@Timeout(60)
class LockTemplateTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake");

	private final TestLocks test = new TestLocks(this.engine);

	private final LockTemplate template = new LockTemplate(this.test.locks, UnlockTiming.IMMEDIATE,
			LockOptions.DEFAULTS, Duration.ZERO, LockOptions.Settings.NONE);

	private final List<String> ran = new ArrayList<>();

	@AfterEach
	void nothingIsLeft() {
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.test.locks.held()).isEmpty();
		assertThat(this.test.locks.namesInUse()).isZero();
		this.test.close();
	}

	private FakeEngine.FakeGrant taken(String name) {
		return this.engine.grant(new LockRequest(name, TestLocks.LONG, false));
	}

	@Test
	void theResultIsThatOfTheCodeWhichRanUnderTheLock() {
		String held = this.template.execute("a", () -> this.test.locks.current().orElseThrow().name());
		assertThat(held).isEqualTo("a");
		assertThat(this.template.<String, RuntimeException>execute("a", () -> null)).isNull();
		assertThat(this.engine.isTaken("a")).isFalse();
	}

	@Test
	void anInterruptedThreadAcquiresAFreeLock() {
		for (Duration wait : List.of(Duration.ZERO, TestLocks.LONG)) {
			Thread.currentThread().interrupt();
			assertThat(this.template.withWait(wait).<Boolean, RuntimeException>execute("a", Thread::interrupted))
				.isTrue();
		}
	}

	@Test
	void anInterruptedThreadDoesNotWaitForALockThatIsTaken() {
		taken("a");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockNotObtainedException.class)
			.isThrownBy(() -> this.template.withWait(TestLocks.LONG).execute("a", () -> "never"))
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.engine.waits).containsExactly(Duration.ZERO);
	}

	@Test
	void theCodeMayUseTheLockAgain() {
		int depth = this.template.execute("a", () -> this.template.execute("a", () -> this.test.get("a").holdCount()));
		assertThat(depth).isEqualTo(2);
		assertThat(this.engine.requests).hasSize(1);
	}

	@Test
	void theCodesExceptionIsThrownAndTheLockReleased() {
		IOException failure = new IOException("its own");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.template.execute("a", () -> {
			throw failure;
		})).isSameAs(failure).satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
		assertThat(this.engine.isTaken("a")).isFalse();
	}

	@Test
	void theExceptionOfTheCodeTakesPrecedenceOverALoss() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.template.execute("a", () -> {
			this.engine.grant().vanish();
			throw new IOException("its own");
		})).satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
	}

	@Test
	void aLossIsThrownIfTheCodeSucceeded() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.template.execute("a", () -> {
			this.engine.grant().vanish();
			return this.ran.add("ended well");
		})).satisfies((ex) -> assertThat(ex.name()).isEqualTo("a"));
		assertThat(this.ran).containsExactly("ended well");
	}

	@Test
	void nothingRunsWithoutTheLock() {
		FakeEngine.FakeGrant stranger = taken("a");
		assertThatExceptionOfType(LockNotObtainedException.class)
			.isThrownBy(() -> this.template.execute("a", () -> this.ran.add("a")))
			.withMessage("The lock [a] was not obtained within 0s")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.names()).containsExactly("a"));
		stranger.vanish();
		this.engine.fail(new LockUnavailableException("down", null));
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.template.execute("a", () -> this.ran.add("a")));
		assertThat(this.ran).isEmpty();
	}

	@Test
	void anInterruptedWaitLeavesTheThreadInterrupted() throws Exception {
		taken("a");
		Waiting<LockNotObtainedException> waiting = this.test.waiting(() -> {
			try {
				this.template.withWait(Duration.ofMinutes(1)).execute("a", () -> this.ran.add("a"));
				throw new AssertionError("Nobody was interrupted");
			}
			catch (LockNotObtainedException ex) {
				assertThat(Thread.interrupted()).isTrue();
				return ex;
			}
		});
		await().until(() -> this.engine.waiting() == 1);
		waiting.thread().interrupt();
		assertThat(waiting.get()).hasCauseInstanceOf(InterruptedException.class)
			.hasMessage("The lock [a] was not obtained within 1m: the waiting thread was interrupted");
		assertThat(this.ran).isEmpty();
	}

	@Test
	void severalNamesAreLockedTogether() {
		List<String> held = this.template.execute(List.of("b", "a", "b"),
				() -> this.test.locks.held().stream().map(DistributedLock::name).toList());
		assertThat(held).containsExactly("a", "b");
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(this.engine.isTaken("b")).isFalse();
	}

	@Test
	void severalNamesAreLockedAtomically() {
		taken("b");
		assertThatExceptionOfType(LockNotObtainedException.class)
			.isThrownBy(() -> this.template.execute(List.of("b", "a"), () -> this.ran.add("both")))
			.satisfies((ex) -> assertThat(ex.names()).containsExactly("a", "b"));
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(this.ran).isEmpty();
	}

	@Test
	void oneNameIsOneLockAndAnEmptyCollectionIsRefused() {
		assertThat(this.template.<Boolean, RuntimeException>execute(List.of("a"), () -> this.ran.add("a"))).isTrue();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.template.execute(List.of(), () -> this.ran.add("none")))
			.withMessage("There is no name to lock");
		assertThat(this.ran).containsExactly("a");
	}

	@Test
	void optionsAndTimeToWaitAreThoseOfTheCopy() {
		LockTemplate other = this.template.withOptions(LockOptions.DEFAULTS.withFair(true))
			.withWait(Duration.ofSeconds(20));
		other.execute("a", () -> this.ran.add("other"));
		this.template.execute("a", () -> this.ran.add("first"));
		assertThat(this.engine.requests).extracting(LockRequest::fair).containsExactly(true, false);
		assertThat(this.engine.waits.get(0)).isGreaterThan(Duration.ofSeconds(10));
		assertThat(this.engine.waits.get(1)).isZero();
	}

	@Test
	void theTimingDeterminesWhenTheLockIsReleased() {
		List<Lock> later = new ArrayList<>();
		LockTemplate deferring = new LockTemplate(this.test.locks, later::add, LockOptions.DEFAULTS, Duration.ZERO,
				LockOptions.Settings.NONE);
		deferring.execute("a", () -> this.ran.add("a"));
		assertThat(this.engine.isTaken("a")).isTrue();
		assertThat(later).hasSize(1);
		later.get(0).unlock();
		assertThat(this.engine.isTaken("a")).isFalse();
	}

}
