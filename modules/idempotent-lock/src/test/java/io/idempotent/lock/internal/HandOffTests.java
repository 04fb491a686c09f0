package io.idempotent.lock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.internal.TestLocks.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * A lock that is given back while threads of the same JVM wait for it.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class HandOffTests {

	private final FakeEngine engine = FakeEngine.withLeases("fake").thatPassesOn();

	private final FakeEngine line = FakeEngine.withLeases("line").thatKeepsALine();

	private final TestLocks locks = new TestLocks(this.engine, this.line);

	private final DistributedLock lock = this.locks.get("a");

	@AfterEach
	void nothingIsLeft() {
		await().untilAsserted(() -> assertThat(this.locks.locks.namesInUse()).isZero());
		assertThat(this.engine.isTaken("a")).isFalse();
		assertThat(this.line.isTaken("a")).isFalse();
		this.locks.close();
	}

	private Waiting<Long> waiter(DistributedLock lock) {
		return this.locks.waiting(() -> {
			lock.lockInterruptibly();
			long token = lock.fencingToken();
			lock.unlock();
			return token;
		});
	}

	@Test
	void theNextThreadIsHandedTheLockWithoutTheEngine() throws Exception {
		this.lock.lock();
		long token = this.lock.fencingToken();
		Waiting<Long> next = waiter(this.lock);
		this.lock.unlock();
		assertThat(next.get()).isGreaterThan(token);
		assertThat(this.engine.requests).hasSize(1);
		assertThat(this.engine.grants).hasSize(2);
		assertThat(this.engine.grants.get(0).releases).isEmpty();
		assertThat(this.locks.told()).containsExactlyInAnyOrder(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED,
				LockEvent.Type.OBTAINED, LockEvent.Type.RELEASED);
	}

	@Test
	void threadsAreHandedTheLockInTheOrderOfTheirArrival() throws Exception {
		this.lock.lock();
		List<Waiting<Long>> queue = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			queue.add(waiter(this.lock));
		}
		this.lock.unlock();
		List<Long> tokens = new ArrayList<>();
		for (Waiting<Long> waiting : queue) {
			tokens.add(waiting.get());
		}
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void otherNodesGetAChanceAfterSixteenHandOffs() throws Exception {
		this.lock.lock();
		List<Waiting<Long>> queue = new ArrayList<>();
		for (int i = 0; i < 2 * LocalLockQueue.MAX_HAND_OFFS + 2; i++) {
			queue.add(waiter(this.lock));
		}
		this.lock.unlock();
		for (Waiting<Long> waiting : queue) {
			waiting.get();
		}
		assertThat(LocalLockQueue.MAX_HAND_OFFS).isEqualTo(16);
		assertThat(this.engine.requests).hasSize(3);
		assertThat(this.engine.grants).filteredOn((grant) -> !grant.releases.isEmpty())
			.extracting(FakeEngine.FakeGrant::token)
			.containsExactly(17L, 34L, 35L);
	}

	@Test
	void theNextThreadHoldsTheLockOnItsOwnTerms() throws Exception {
		this.lock.lock();
		DistributedLock other = this.locks.get("a", LockOptions.DEFAULTS.withLease(TestLocks.LONG.dividedBy(2)));
		Waiting<Long> next = waiter(other);
		this.lock.unlock();
		next.get();
		assertThat(this.engine.grant().request.lease()).isEqualTo(TestLocks.LONG.dividedBy(2));
	}

	@Test
	void aLockThatStaysTakenIsNotPassedOn() throws Exception {
		DistributedLock kept = this.locks.get("a", LockOptions.DEFAULTS.withHoldAtLeast(TestLocks.LONG));
		kept.lock();
		Waiting<Long> next = waiter(this.lock);
		kept.unlock();
		next.get();
		assertThat(this.engine.requests).hasSize(2);
	}

	@Test
	void aWaiterForAnotherEngineIsNotHandedTheLock() throws Exception {
		this.lock.lock();
		Waiting<Long> next = waiter(this.locks.get("a", LockOptions.DEFAULTS.withEngine("line")));
		this.lock.unlock();
		next.get();
		assertThat(this.engine.grants).hasSize(1);
		assertThat(this.line.grants).hasSize(1);
	}

	@Test
	void aThreadThatIsNotHandedTheLockGivesUpInTime() throws Exception {
		DistributedLock inLine = this.locks.get("a", LockOptions.DEFAULTS.withEngine("line"));
		inLine.lock();
		Waiting<Long> queuedAtTheEngine = waiter(inLine);
		await().until(() -> this.line.waiting() == 1);
		Waiting<Boolean> queuedHere = this.locks.waiting(() -> inLine.tryLock(1, TimeUnit.SECONDS));
		FakeEngine.FakeGrant grant = this.line.grant();
		grant.onRelease(() -> {
			// Another node is the first in the line of the engine.
			this.line.grant(grant.request);
			return LockGrant.GrantState.HELD;
		});
		inLine.unlock();
		try {
			assertThat(queuedHere.get()).isFalse();
		}
		finally {
			this.line.grant().vanish();
			queuedAtTheEngine.get();
		}
	}

	@Test
	void aGrantAfterAnInterruptIsReleased() throws Exception {
		this.lock.lock();
		Waiting<Long> impatient = waiter(this.lock);
		Waiting<Long> next = waiter(this.lock);
		this.engine.grant().onPassing((grant) -> {
			impatient.thread().interrupt();
			await().until(impatient.result()::isDone);
			return grant;
		});
		this.lock.unlock();
		assertThatThrownBy(impatient::get).hasCauseInstanceOf(InterruptedException.class);
		next.get();
		assertThat(this.engine.grants.get(1).releases).hasSize(1);
		assertThat(this.engine.requests).hasSize(2);
		assertThat(this.locks.told()).doesNotContain(LockEvent.Type.LOST);
	}

	@Test
	void aThreadThatTimesOutWaitsForAHandOffInProgress() throws Exception {
		this.lock.lock();
		Waiting<Boolean> impatient = this.locks.waiting(() -> {
			boolean obtained = this.lock.tryLock(1, TimeUnit.SECONDS);
			this.lock.unlock();
			return obtained;
		});
		this.engine.grant().onPassing((grant) -> {
			await().pollDelay(1100, TimeUnit.MILLISECONDS).until(() -> true);
			return grant;
		});
		this.lock.unlock();
		assertThat(impatient.get()).isTrue();
	}

	@Test
	void aFailedHandOffIsReleasedLater() throws Exception {
		this.lock.lock();
		FakeEngine.FakeGrant first = this.engine.grant().onPassing((grant) -> {
			((FakeEngine.FakeGrant) grant).vanish();
			throw new LockUnavailableException("down", null);
		});
		Waiting<Long> next = waiter(this.lock);
		this.lock.unlock();
		next.get();
		await().until(() -> first.releases.size() == 1);
		assertThat(this.locks.told()).contains(LockEvent.Type.RELEASE_DELAYED).doesNotContain(LockEvent.Type.LOST);
		assertThat(this.engine.requests).hasSize(2);
	}

	@Test
	void aLockThatWasLostIsNotPassedOn() throws Exception {
		this.lock.lock();
		Waiting<Long> next = waiter(this.lock);
		this.engine.grant().vanish();
		assertThatThrownBy(this.lock::unlock).isInstanceOf(io.idempotent.lock.LockLostException.class);
		next.get();
		assertThat(this.engine.requests).hasSize(2);
	}

	@Test
	void oneThreadAtATimeWaitsAtTheEngineWhileTheLockIsHeld() throws Exception {
		DistributedLock first = this.locks.get("a", LockOptions.DEFAULTS.withEngine("line"));
		first.lock();
		Waiting<Long> second = waiter(first);
		await().until(() -> this.line.waiting() == 1);
		Waiting<Long> third = waiter(first);
		assertThat(this.line.requests).hasSize(2);
		assertThat(this.locks.<Boolean>elsewhere(() -> first.tryLock())).isFalse();
		assertThat(this.line.requests).hasSize(2);
		first.unlock();
		assertThat(third.get()).isGreaterThan(second.get());
	}

	@Test
	void aQueuedWaiterStaysBeforeItAsksAnotherEngine() throws Exception {
		DistributedLock inLine = this.locks.get("a", LockOptions.DEFAULTS.withEngine("line"));
		inLine.lock();
		Waiting<Long> next = waiter(this.lock);
		await().until(() -> this.line.waiting() == 1);
		assertThat(this.engine.requests).isEmpty();
		inLine.unlock();
		next.get();
		assertThat(this.engine.grants).hasSize(1);
	}

}
