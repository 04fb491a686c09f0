package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.Unchecked;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The thread that keeps the contact to the authority, and those that wait for it.
 */
@Timeout(60)
class EpochsTests {

	private static final SwitchSettings SETTINGS = new SwitchSettings(Duration.ofSeconds(2), Duration.ofSeconds(20),
			Duration.ofSeconds(1), WhenAuthorityAway.STOP_GRANTING);

	private final AtomicInteger hanging = new AtomicInteger();

	private volatile CountDownLatch responds = new CountDownLatch(0);

	/** A register that stops to respond. */
	private final SharedEntry store = ObservedDataSource.<SharedEntry>intercept(new MemorySharedEntry(),
			(call) -> call.getMethod().getName().equals("read") ? read(call) : call.proceed());

	private final Epochs epochs = new Epochs(this.store, SETTINGS, List.of("first", "second"), EngineHealth.UNKNOWN);

	private final EngineDistributedLocks locks = new EngineDistributedLocks(List.of(new LocalLockEngine()),
			Duration.ofMinutes(1), List.of());

	private final EngineSwitching switching = new EngineSwitching(this.locks, this.epochs);

	@AfterEach
	void close() {
		this.responds.countDown();
		this.locks.close();
		this.epochs.close();
	}

	@Test
	void anOperatorDoesNotWaitForAnAbandonedSwitch() throws Exception {
		this.epochs.awaitTerm(TestEpochs.REQUEST, () -> 0);
		this.responds = new CountDownLatch(1);
		await().until(() -> this.hanging.get() > 0);
		CompletableFuture<Void> switched = CompletableFuture.runAsync(() -> this.switching.switchTo("second"));
		CompletableFuture<Void> calledOff = CompletableFuture.runAsync(this.switching::callOff);
		Thread.sleep(100);
		CompletableFuture<Void> unused = CompletableFuture.runAsync(this.epochs::close);
		Thread.sleep(100);
		this.responds.countDown();
		for (CompletableFuture<Void> command : List.of(switched, calledOff)) {
			assertUnavailable(command, 10, "shutting down");
		}
	}

	@Test
	void aHangingAuthorityDelaysAtMostOneLease() throws Exception {
		this.responds = new CountDownLatch(1);
		for (int i = 0; i < 2; i++) {
			CompletableFuture<Void> attempt = CompletableFuture.runAsync(this::awaitTerm);
			assertUnavailable(attempt, 5, "has not responded for");
		}
		this.responds.countDown();
		await().ignoreExceptionsInstanceOf(LockUnavailableException.class)
			.until(() -> this.epochs.awaitTerm(TestEpochs.REQUEST, () -> 0) != null);
	}

	@Test
	void duringASwitchAHangingAuthorityDelaysAtMostOneLease() throws Exception {
		EpochTerm term = this.epochs.awaitTerm(TestEpochs.REQUEST, () -> 0);
		assertThat(term).isNotNull();
		assertThat(term.enter()).isTrue();
		CompletableFuture<Void> switched = CompletableFuture.runAsync(() -> this.switching.switchTo("second"));
		await().until(() -> this.switching.status().isSwitching());
		this.responds = new CountDownLatch(1);
		CompletableFuture<Void> attempt = CompletableFuture.runAsync(this::awaitTerm);
		assertUnavailable(attempt, 10, "");
		assertThat(switched).failsWithin(Duration.ofSeconds(10));
		term.leave();
	}

	@Test
	void aNodeWithoutTheCurrentEngineDoesNotWriteOnEachAttempt() throws Exception {
		this.epochs.awaitTerm(TestEpochs.REQUEST, () -> 0);
		SwitchSettings slow = new SwitchSettings(Duration.ofMinutes(1), Duration.ofSeconds(20), Duration.ofSeconds(1),
				WhenAuthorityAway.STOP_GRANTING);
		List<Object> written = new CopyOnWriteArrayList<>();
		SharedEntry counting = ObservedDataSource.<SharedEntry>intercept(this.store, (call) -> {
			Object result = call.proceed();
			if (call.getMethod().getName().equals("write")) {
				written.add(result);
			}
			return result;
		});
		long before = this.store.read().version();
		try (Epochs lacking = new Epochs(counting, slow, List.of("third"), EngineHealth.UNKNOWN)) {
			for (int i = 0; i < 10; i++) {
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> lacking.awaitTerm(TestEpochs.REQUEST, () -> 0))
					.withMessageContaining("configure the same engines on all nodes");
			}
			long ofAllNodes = this.store.read().version() - before;
			assertThat(written).containsOnlyOnce(true);
			assertThat(written).as("a write of another node is one conflict at most")
				.hasSizeLessThanOrEqualTo((int) ofAllNodes);
		}
	}

	private static void assertUnavailable(CompletableFuture<Void> command, int seconds, String message) {
		assertThat(command).failsWithin(Duration.ofSeconds(seconds))
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining(message);
	}

	private void awaitTerm() {
		Unchecked.run(() -> this.epochs.awaitTerm(TestEpochs.REQUEST, () -> Long.MAX_VALUE));
	}

	private Object read(MethodInvocation call) throws Throwable {
		this.hanging.incrementAndGet();
		try {
			assertThat(this.responds.await(50, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new LockUnavailableException("interrupted", ex);
		}
		finally {
			this.hanging.decrementAndGet();
		}
		return call.proceed();
	}

}
