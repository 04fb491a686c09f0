package io.idempotent.lock.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.Renewal;
import io.idempotent.lock.engine.TestLocks.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Which engine a lock is taken on, and what becomes of locks while that changes.
 */
@Timeout(60)
class EngineSwitchTests {

	private final FakeEngine first = FakeEngine.withLeases("first");

	private final FakeEngine second = FakeEngine.withLeases("second");

	private final FakeEngine third = FakeEngine.withLeases("third");

	private final TestLocks test = new TestLocks(this.first, this.second, this.third);

	private final EngineDistributedLocks locks = this.test.locks;

	private final DistributedLock lock = this.locks.get("a");

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.locks.held()).isEmpty();
		await().untilAsserted(() -> assertThat(this.locks.namesInUse()).isZero());
		this.test.close();
	}

	@Test
	void enginesAreUsedInTheirOrderAndAfterTheLastTheFirst() {
		assertThat(this.locks.engines()).containsExactly("first", "second", "third");
		assertThat(this.locks.currentEngine()).isEqualTo("first");
		for (String next : List.of("second", "third", "first")) {
			assertThat(this.locks.switchEngine()).isEqualTo(next);
			assertThat(this.locks.currentEngine()).isEqualTo(next);
		}
	}

	@Test
	void anEngineIsUsedByItsNameAndTheOrderGoesOnFromThere() {
		assertThat(this.locks.switchEngine("third")).isEqualTo("third");
		assertThat(this.locks.currentEngine()).isEqualTo("third");
		assertThat(this.locks.switchEngine()).isEqualTo("first");
	}

	@Test
	void anUnknownNameSwitchesNothing() {
		this.locks.switchEngine("second");
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.switchEngine("fourth"))
			.withMessage("There is no lock engine 'fourth': idempotent.lock.engines names [first, second, third]");
		assertThat(this.locks.currentEngine()).isEqualTo("second");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.locks.get("a", LockOptions.DEFAULTS.withEngine("fourth")));
	}

	@Test
	void oneEngineIsFollowedByItself() {
		try (TestLocks alone = new TestLocks(this.first)) {
			assertThat(alone.locks.switchEngine()).isEqualTo("first");
			take(alone.get("a"));
			assertThat(this.first.requests).hasSize(1);
		}
	}

	@Test
	void enginesOfOneNameAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TestLocks(this.first, FakeEngine.withoutLeases("first")))
			.withMessage("There are two lock engines 'first'");
		LockDefaults terms = new LockDefaults(TestLocks.LONG, Renewal.WHILE_HELD, TestLocks.LONG);
		assertThatIllegalArgumentException().isThrownBy(() -> new EngineDistributedLocks(List.of(), terms, List.of()))
			.withMessage("There is no lock engine");
	}

	@Test
	void everySwitchBeginsAnEpochThatRequestsTell() {
		take(this.lock);
		this.locks.switchEngine();
		take(this.lock);
		this.locks.switchEngine("second");
		take(this.lock);
		this.locks.switchEngine("first");
		take(this.lock);
		assertThat(this.second.requests).hasSize(2);
		assertThat(this.first.requests).hasSize(2);
	}

	@Test
	void aLockThatNamesItsEngineStaysThereAndTellsTheEpoch() {
		DistributedLock pinned = this.locks.get("a", LockOptions.DEFAULTS.withEngine("second"));
		take(pinned);
		this.locks.switchEngine("third");
		take(pinned);
		assertThat(this.second.requests).hasSize(2);
		assertThat(this.first.requests).isEmpty();
		assertThat(this.third.requests).isEmpty();
	}

	@Test
	void aHeldLockStaysOnItsEngine() {
		this.lock.lock();
		this.locks.switchEngine();
		this.lock.lock();
		assertThat(this.lock.isValid()).isTrue();
		this.lock.unlock();
		assertThat(this.first.isTaken("a")).isTrue();
		this.lock.unlock();
		assertThat(this.first.isTaken("a")).isFalse();
		assertThat(this.second.requests).isEmpty();
		take(this.lock);
		assertThat(this.second.requests).hasSize(1);
	}

	@Test
	void threadsOfThisNodeExcludeEachOtherAcrossASwitch() throws Exception {
		this.lock.lock();
		this.locks.switchEngine();
		assertThat(this.test.<Boolean>elsewhere(() -> this.lock.tryLock())).isFalse();
		assertThat(this.second.requests).isEmpty();
		this.lock.unlock();
	}

	@Test
	void aWaiterAtTheFormerEngineAsksTheNewOne() throws Exception {
		FakeEngine.FakeGrant stranger = this.first.grant(new LockRequest("a", TestLocks.LONG, false));
		Waiting<Long> waiting = waitingForToken();
		await().until(() -> this.first.waiting() == 1);
		this.locks.switchEngine();
		stranger.vanish();
		assertThat(waiting.get()).isEqualTo(this.second.grant().token());
		assertThat(this.first.isTaken("a")).isFalse();
		assertThat(this.second.requests).hasSize(1);
		assertThat(this.test.events).extracting(LockEvent::engine).containsOnly("second");
	}

	@Test
	void aGrantOfTheFormerEngineIsReleasedLater() throws Exception {
		FakeEngine.FakeGrant stranger = this.first.grant(new LockRequest("a", TestLocks.LONG, false));
		this.first.next((request, wait) -> {
			this.locks.switchEngine();
			stranger.vanish();
			FakeEngine.FakeGrant grant = this.first.grant(request);
			return grant.onRelease(() -> {
				if (grant.releases.size() == 1) {
					throw new LockUnavailableException("down", null);
				}
				return grant.releaseSoundly();
			});
		});
		take(this.lock);
		assertThat(this.second.requests).hasSize(1);
		await().until(() -> !this.first.isTaken("a"));
	}

	@Test
	void theTimeToWaitGoesOnAcrossASwitch() throws Exception {
		this.first.next((request, wait) -> {
			this.locks.switchEngine();
			return this.first.grant(request);
		});
		this.second.grant(new LockRequest("a", TestLocks.LONG, false));
		assertThat(this.lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(this.second.waits.get(0)).isLessThan(this.first.waits.get(0));
		assertThat(this.first.isTaken("a")).isFalse();
	}

	private Waiting<Long> waitingForToken() {
		return this.test.waiting(() -> {
			this.lock.lock();
			try {
				return this.lock.fencingToken();
			}
			finally {
				this.lock.unlock();
			}
		});
	}

	private static void take(DistributedLock lock) {
		lock.lock();
		lock.unlock();
	}

}
