package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What operators see of a lock, and that they can take it away. */
abstract class LockAdministrationTests extends LockTests {

	LockAdministrationTests(LockEngineContract contract) {
		super(contract);
	}

	@BeforeEach
	void requireInspection() {
		assumeTrue(canInspect(), "This engine cannot be asked about a lock");
	}

	private boolean canInspect() {
		try {
			engine().inspect(name());
			return true;
		}
		catch (UnsupportedOperationException ex) {
			return false;
		}
	}

	@Test
	void showsALockThatIsFree() throws Exception {
		assertThat(otherEngine().inspect(name()).isHeld()).isFalse();
		take(engine(), LEASE).release(Duration.ZERO);
		awaitUntil("free", () -> !otherEngine().inspect(name()).isHeld());
	}

	@Test
	void showsTheHolderOfALock() throws Exception {
		LockGrant grant = take(engine(), LONG_LEASE);
		LockHolder holder = assertThat(otherEngine().inspect(name()).holders()).singleElement().actual();
		assertThat(holder.mode()).isEqualTo(LockMode.WRITE);
		assertThat(holder.token()).isIn(null, grant.token());
		if (holder.leaseLeft() != null) {
			assertThat(holder.leaseLeft()).isBetween(LONG_LEASE.minusSeconds(10), LONG_LEASE.plusSeconds(10));
		}
		assertThat(engine().inspect(name()).holders()).singleElement()
			.extracting(LockHolder::thisNode)
			.isIn(null, true);
		grant.release(Duration.ZERO);
	}

	@Test
	void showsALockThatHasEnded() throws Exception {
		assumeLeases();
		// Connects before the lease starts.
		assertThat(otherEngine().inspect(name()).isHeld()).isFalse();
		take(engine(), Duration.ofSeconds(2));
		assertThat(otherEngine().inspect(name()).isHeld()).isTrue();
		for (int i = 0; i < 100 && otherEngine().inspect(name()).isHeld(); i++) {
			TimeUnit.MILLISECONDS.sleep(100);
		}
		assertThat(otherEngine().inspect(name()).isHeld()).isFalse();
		assertThat(otherEngine().forceRelease(name())).isFalse();
	}

	@Test
	void changesNothingByInspection() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		otherEngine().inspect(name());
		assertRefused(otherEngine());
		assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertFree();
	}

	@Test
	void showsEachReader() throws Exception {
		assumeShared();
		LockGrant one = read(engine(), LONG_LEASE);
		LockGrant two = read(otherEngine(), LONG_LEASE);
		LockState state = otherEngine().inspect(name());
		assertThat(state.holders()).hasSize(2).allMatch((holder) -> holder.mode() == LockMode.READ);
		one.release(Duration.ZERO);
		awaitUntil("one reader", () -> otherEngine().inspect(name()).holders().size() == 1);
		two.release(Duration.ZERO);
	}

	@Test
	void takesALockAwayFromItsHolder() throws Exception {
		LockGrant stale = take(engine(), LONG_LEASE);
		assertThat(otherEngine().forceRelease(name())).isTrue();
		assertThat(otherEngine().inspect(name()).isHeld()).isFalse();
		LockGrant next = take(otherEngine(), LONG_LEASE);
		assertThat(next.token()).isGreaterThan(stale.token());
		assertThat(stale.renew(LONG_LEASE)).isEqualTo(GrantState.LOST);
		assertThat(stale.handOff(request(LONG_LEASE))).isNull();
		assertThat(stale.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void revivesNoLockThatWasTakenAway() throws Exception {
		LockGrant stale = take(engine(), LONG_LEASE);
		otherEngine().forceRelease(name());
		assertThat(stale.renew(LONG_LEASE)).isEqualTo(GrantState.LOST);
		assertThat(stale.renew(LONG_LEASE)).isEqualTo(GrantState.LOST);
		assertFree();
	}

	@Test
	void takesALockAwayFromAllReaders() throws Exception {
		assumeShared();
		LockGrant one = read(engine(), LONG_LEASE);
		LockGrant two = read(otherEngine(), LONG_LEASE);
		assertThat(otherEngine().forceRelease(name())).isTrue();
		LockGrant next = take(engine(), LONG_LEASE);
		assertThat(one.renew(LONG_LEASE)).isEqualTo(GrantState.LOST);
		assertThat(two.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(next.renew(LONG_LEASE)).isEqualTo(GrantState.HELD);
		next.release(Duration.ZERO);
	}

	@Test
	void takesAwayNothingFromAFreeLock() throws Exception {
		assertThat(otherEngine().forceRelease(name())).isFalse();
		take(engine(), LEASE).release(Duration.ZERO);
		awaitUntil("free", () -> !otherEngine().inspect(name()).isHeld());
		assertThat(otherEngine().forceRelease(name())).isFalse();
		assertFree();
	}

	@Test
	void wakesAWriterThatWaits() throws Exception {
		take(engine(), LONG_LEASE);
		Future<@Nullable LockGrant> next = waiting(otherEngine(), request(LONG_LEASE));
		awaitWaiter();
		assertThat(otherEngine().forceRelease(name())).isTrue();
		require(next.get(4, TimeUnit.SECONDS)).release(Duration.ZERO);
	}

	@Test
	void wakesAFairWriterThatWaits() throws Exception {
		require(engine().acquire(fair(), Duration.ZERO));
		Future<LockGrant> next = inBackground(() -> require(otherEngine().acquire(fair(), Duration.ofSeconds(40))));
		awaitWaiter();
		assertThat(otherEngine().forceRelease(name())).isTrue();
		next.get(4, TimeUnit.SECONDS).release(Duration.ZERO);
	}

	private LockRequest fair() {
		return new LockRequest(name(), LONG_LEASE, true);
	}

	/** Also returns after a while, since not every engine counts waiting threads. */
	private void awaitWaiter() throws Exception {
		long start = System.nanoTime();
		awaitUntil("waiting", () -> {
			Integer waiters = engine().inspect(name()).waiters();
			return (waiters != null) ? waiters == 1 : System.nanoTime() - start > 300_000_000;
		});
	}

	@Test
	void wakesReadersThatWait() throws Exception {
		assumeShared();
		take(engine(), LONG_LEASE);
		Future<@Nullable LockGrant> reader = waiting(otherEngine(), readRequest(LONG_LEASE));
		awaitWaiter();
		assertThat(otherEngine().forceRelease(name())).isTrue();
		require(reader.get(4, TimeUnit.SECONDS)).release(Duration.ZERO);
	}

	@Test
	void tellsTheFormerHolderOnAnotherNode() throws Exception {
		AtomicReference<LockEvent.Type> notified = new AtomicReference<>();
		DistributedLock lock = locks().get(name());
		lock.lock();
		lock.onLoss((event) -> notified.set(event.type()));
		assertThat(otherEngine().forceRelease(name())).isTrue();
		if (isRenewedSoon()) {
			awaitUntil("invalid", () -> !lock.isValid());
		}
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		awaitUntil("notified", () -> notified.get() == LockEvent.Type.LOST);
	}

	/** Whether the lease is as short as requested, and not that of a session. */
	private boolean isRenewedSoon() {
		Long left = locks().heldByNode().findFirst().orElseThrow().nanosLeft(System.nanoTime());
		return left == null || left <= LEASE.toNanos();
	}

}
