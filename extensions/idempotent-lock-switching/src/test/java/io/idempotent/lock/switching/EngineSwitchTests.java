package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.switching.TestNode.Waiting;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Which engine a lock is taken on, and how nodes switch to another one.
 */
@Timeout(60)
@Tag("slow")
class EngineSwitchTests {

	private static final SwitchSettings SETTINGS = new SwitchSettings(Duration.ofSeconds(2), Duration.ofSeconds(20),
			Duration.ofSeconds(1), WhenAuthorityAway.STOP_GRANTING);

	private final MemorySharedEntry store = new MemorySharedEntry();

	private final MemoryEngine first = new MemoryEngine("first");

	private final MemoryEngine second = new MemoryEngine("second");

	private final MemoryEngine third = new MemoryEngine("third");

	private final TestNode one = node(SETTINGS);

	private final TestNode two = node(SETTINGS);

	private final DistributedLock lock = this.one.get("a");

	private TestNode node(SwitchSettings settings) {
		return new TestNode(this.store, settings, this.first, this.second, this.third);
	}

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.one.locks.held()).isEmpty();
		await().untilAsserted(() -> assertThat(this.one.locks.namesInUse()).isZero());
		this.one.close();
		this.two.close();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void enginesAreUsedInTheirOrderCyclically() {
		assertThat(this.one.locks.engines()).containsExactly("first", "second", "third");
		assertThat(this.one.locks.engineInForce()).isEqualTo("first");
		for (String next : List.of("second", "third", "first")) {
			assertThat(this.one.switching.switchToNext()).isEqualTo(next);
			assertThat(this.one.locks.engineInForce()).isEqualTo(next);
			take(this.lock);
			take(this.two.get("a"));
		}
		assertThat(this.first.requests).hasSize(2);
		assertThat(this.one.switching.status().epoch()).isEqualTo(4);
	}

	@Test
	void aSwitchToTheEngineInForceChangesNothing() {
		take(this.lock);
		assertThat(this.one.switching.switchTo("first")).isEqualTo("first");
		assertThat(this.one.switching.status().epoch()).isEqualTo(1);
	}

	@Test
	void anUnknownNameSwitchesNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.switching.switchTo("fourth"))
			.withMessageContaining("'fourth', only to [first, second, third]");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.one.get("a", LockOptions.DEFAULTS.withEngine("fourth")));
	}

	@Test
	void tokensGrowAcrossSwitches() {
		long before = 0;
		for (int i = 0; i < 4; i++) {
			for (TestNode node : List.of(this.one, this.two)) {
				DistributedLock again = node.get("a");
				again.lock();
				assertThat(again.fencingToken()).isGreaterThan(before);
				before = again.fencingToken();
				again.unlock();
			}
			this.one.switching.switchToNext();
		}
		assertThat(before).isGreaterThan(3L << 48);
		assertThat(this.one.events).filteredOn((event) -> event.type() == LockEvent.Type.RELEASED)
			.extracting(LockEvent::token)
			.isSorted()
			.doesNotContain(0L);
	}

	/** The engine's own token is not below 2^48. */
	@Test
	void aGrantWhoseTokenIsRefusedIsGivenBack() throws InterruptedException {
		this.first.next((request, wait) -> new Numbered(this.first.grant(request), 1L << 48));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.lock::lock)
			.withMessageContaining("must be less than 2^48");
		assertThat(this.lock.isHeldByCurrentThread()).isFalse();
		assertThat(this.first.isTaken("a")).isFalse();
	}

	/**
	 * The next thread asks the engine, and the grant does not keep nodes from switching.
	 */
	@Test
	void aHandOffWhoseTokenIsRefusedIsGivenBack() throws Exception {
		this.first.next((request, wait) -> new Numbered(this.first.grant(request), (1L << 48) - 1));
		this.lock.lock();
		Waiting<Long> waiting = this.one.waiting(() -> {
			this.lock.lock();
			long token = this.lock.fencingToken();
			this.lock.unlock();
			return token;
		});
		this.lock.unlock();
		assertThat(waiting.get()).isEqualTo(3);
		assertThat(this.first.isTaken("a")).isFalse();
		assertThat(this.two.switching.switchTo("second")).isEqualTo("second");
	}

	/** Has a token of its own, and the next one if it is handed off. */
	private record Numbered(LockGrant grant, long token) implements LockGrant {

		@Override
		public Duration lease() {
			return this.grant.lease();
		}

		@Override
		public GrantState renew(Duration lease) {
			return this.grant.renew(lease);
		}

		@Override
		public GrantState release(Duration stayLocked) {
			return this.grant.release(stayLocked);
		}

		@Override
		public LockGrant handOff(LockRequest next) {
			return new Numbered(Objects.requireNonNull(this.grant.handOff(next)), this.token + 1);
		}

	}

	@Test
	void aLockThatNamesItsEngineIsNotSwitched() {
		DistributedLock pinned = this.one.get("a", LockOptions.DEFAULTS.withEngine("second"));
		pinned.lock();
		assertThat(pinned.fencingToken()).isEqualTo(1);
		assertThat(this.two.switching.switchTo("third")).isEqualTo("third");
		assertThat(pinned.isValid()).isTrue();
		pinned.unlock();
		assertThat(this.first.requests).isEmpty();
		assertThat(this.third.requests).isEmpty();
	}

	@Test
	void theFenceOfALockIsThatOfItsHold() {
		DistributedLock pinned = this.one.get("a", LockOptions.DEFAULTS.withEngine("second"));
		pinned.lock();
		assertThat(pinned.fenceName()).isEqualTo(this.lock.fenceName()).isEqualTo("a (second)");
		pinned.unlock();
		this.lock.lock();
		assertThat(pinned.fenceName()).isEqualTo(this.lock.fenceName()).isEqualTo("a");
		this.lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::fenceName);
	}

	@ParameterizedTest
	@ValueSource(strings = { "first", "second" })
	void aSwitchWaitsForTheEpochAfterALostEntry(String engine) throws Exception {
		MemorySharedEntry forgetful = new MemorySharedEntry(true);
		try (TestNode node = new TestNode(forgetful, SETTINGS, this.first, this.second)) {
			Future<String> switched = node.inBackground(() -> node.switching.switchTo(engine));
			await().until(() -> node.switching.status().isSwitching());
			forgetful.forget();
			assertThat(switched.get(20, TimeUnit.SECONDS)).isEqualTo(engine);
			assertThat(node.switching.status().isSwitching()).isFalse();
			assertThat(node.locks.engineInForce()).isEqualTo(engine);
		}
	}

	@Test
	void aSwitchIsStartedAgainIfItsEntryIsLost() throws Exception {
		MemorySharedEntry forgetful = new MemorySharedEntry(true);
		try (TestNode node = new TestNode(forgetful, SETTINGS, this.first, this.second)) {
			DistributedLock held = node.get("a");
			assertThat(node.switching.switchTo("first")).isEqualTo("first");
			held.lock();
			Future<String> switched = node.inBackground(() -> node.switching.switchTo("second"));
			await().until(() -> "second".equals(node.switching.status().target()));
			forgetful.forget();
			await().until(() -> "first".equals(node.switching.status().target()));
			assertThatExceptionOfType(LockLostException.class).isThrownBy(held::unlock);
			assertThat(switched.get(20, TimeUnit.SECONDS)).isEqualTo("second");
		}
	}

	@Nested
	class WhileALockIsHeld {

		private Future<String> switched() {
			return two.inBackground(() -> two.switching.switchTo("second"));
		}

		private void awaitDrain(TestNode node) {
			await().until(() -> node.switching.status().isSwitching());
		}

		@Test
		void theSwitchWaitsForTheHolder() throws Exception {
			lock.lock();
			Future<String> switched = switched();
			awaitDrain(one);
			await().untilAsserted(() -> assertThat(two.switching.status().waitingFor()).singleElement()
				.asString()
				.contains("(1 lock)"));
			lock.lock();
			lock.unlock();
			assertThat(lock.isValid()).isTrue();
			assertThat(switched.isDone()).isFalse();
			lock.unlock();
			assertThat(switched.get(1, TimeUnit.MINUTES)).isEqualTo("second");
			take(lock);
			assertThat(second.requests).hasSize(1);
		}

		@Test
		void itsThreadGetsAnotherLock() throws Exception {
			DistributedLock outer = lock;
			outer.lock();
			Future<String> switched = switched();
			awaitDrain(one);
			DistributedLock inner = one.get("b");
			assertThat(inner.tryLock()).isTrue();
			assertThat(inner.fencingToken()).isLessThan(1L << 48);
			outer.unlock();
			assertThat(one.get("c").tryLock()).isTrue();
			inner.unlock();
			assertThat(switched.isDone()).isFalse();
			one.get("c").unlock();
			assertThat(switched.get(1, TimeUnit.MINUTES)).isEqualTo("second");
			assertThat(second.requests).isEmpty();
		}

		@Test
		void theSwitchWaitsForAReaderThatWasAWriter() throws Exception {
			first.thatShares();
			second.thatShares();
			DistributedReadWriteLock lock = one.locks.readWrite("a");
			lock.writeLock().lock();
			Future<String> switched = switched();
			awaitDrain(one);
			lock.readLock().lock();
			lock.writeLock().unlock();
			await().during(Duration.ofMillis(500)).until(() -> !switched.isDone());
			assertThat(lock.readLock().isValid()).isTrue();
			lock.readLock().unlock();
			assertThat(switched.get(1, TimeUnit.MINUTES)).isEqualTo("second");
		}

		@Test
		void noOtherLockIsGranted() throws Exception {
			lock.lock();
			Future<String> switched = switched();
			awaitDrain(one);
			assertThat(two.get("b").tryLock()).isFalse();
			assertThat(two.get("b").tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
			Waiting<String> waiting = one.waiting(() -> {
				take(one.get("b"));
				return one.locks.engineInForce();
			});
			lock.unlock();
			switched.get(1, TimeUnit.MINUTES);
			assertThat(waiting.get()).isEqualTo("second");
			assertThat(first.requests).hasSize(1);
		}

		@Test
		void aThreadThatWaitsAtTheFormerEngineAsksTheNextOne() throws Exception {
			first.grant(new LockRequest("a", TestNode.LONG, false));
			Waiting<Long> waiting = one.waiting(() -> {
				lock.lock();
				long token = lock.fencingToken();
				lock.unlock();
				return Thread.interrupted() ? -1 : token;
			});
			await().until(() -> first.waiting() == 1);
			// The grant of a stranger is never released.
			two.switching.switchTo("second");
			assertThat(waiting.get()).isGreaterThan(1L << 48);
			assertThat(one.events).extracting(LockEvent::engine).containsOnly("second");
		}

		@ParameterizedTest
		@EnumSource(Ways.class)
		void anInterruptAtTheBeginningOfASwitchIsKept(Ways way) throws Exception {
			assertInterrupted(way, (request) -> {
				InterruptibleWait.of(request).close();
				return null;
			});
		}

		@ParameterizedTest
		@EnumSource(Ways.class)
		void anInterruptIsKeptAlthoughTheEngineFails(Ways way) throws Exception {
			assertInterrupted(way, (request) -> {
				throw new LockUnavailableException("down", null);
			});
		}

		@Test
		void noInterruptIsLostAroundSwitches() throws Exception {
			TestNode node = one;
			List<Ways> ways = List.of(Ways.values());
			for (int i = 0; i < 20; i++) {
				Ways way = ways.get(i % ways.size());
				MemoryEngine.MemoryGrant stranger = first.grant(new LockRequest("a", TestNode.LONG, false));
				MemoryEngine.MemoryGrant next = second.grant(new LockRequest("a", TestNode.LONG, false));
				Waiting<Boolean> waiting = node.waiting(() -> way.isInterrupted(lock));
				Future<String> switched = two.inBackground(() -> two.switching.switchToNext());
				LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(150_000_000));
				waiting.thread().interrupt();
				switched.get(1, TimeUnit.MINUTES);
				if (way == Ways.LOCK) {
					next.vanish();
				}
				assertThat(waiting.get()).as("%s in round %s", way, i).isTrue();
				stranger.vanish();
				next.vanish();
				if (!two.locks.engineInForce().equals("first")) {
					two.switching.switchTo("first");
				}
			}
		}

		/** The engine is deaf from before the interrupt until after the switch. */
		private void assertInterrupted(Ways way, ThrowingFunction<LockRequest> end) throws Exception {
			CountDownLatch asked = new CountDownLatch(1);
			CountDownLatch hanging = new CountDownLatch(1);
			first.next((request, wait) -> {
				asked.countDown();
				try (InterruptibleWait deaf = InterruptibleWait.throughInterrupts()) {
					deaf.await(TimeUnit.SECONDS.toNanos(20), (left) -> hanging.await(left, TimeUnit.NANOSECONDS));
				}
				return end.apply(request);
			});
			Waiting<Boolean> waiting = one.waiting(() -> way.isInterrupted(lock));
			assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
			waiting.thread().interrupt();
			switched().get(1, TimeUnit.MINUTES);
			hanging.countDown();
			assertThat(waiting.get()).isTrue();
		}

		@Test
		void aGrantThatComesLateIsGivenBack() throws Exception {
			first.next((request, wait) -> {
				Future<String> switched = switched();
				MemoryEngine.MemoryGrant grant = first.grant(request);
				// That the request is cancelled is noticed too late here.
				while (!switched.isDone()) {
					Thread.onSpinWait();
				}
				return grant;
			});
			take(lock);
			assertThat(first.isTaken("a")).isFalse();
			assertThat(second.requests).hasSize(1);
		}

		@Test
		void aFailingEngineIsNotReportedDuringASwitch() {
			first.next((request, wait) -> {
				Future<String> switched = switched();
				await().until(() -> one.switching.status().epoch() == 2);
				assertThat(switched).isNotNull();
				throw new LockUnavailableException("down", null);
			});
			take(lock);
			assertThat(second.requests).hasSize(1);
		}

		@Test
		void theSwitchCanBeCalledOff() throws Exception {
			lock.lock();
			Future<String> switched = switched();
			await().untilAsserted(() -> assertThat(two.switching.status().waitingFor()).singleElement()
				.asString()
				.contains("(1 lock)"));
			assertThat(one.switching.callOff()).isTrue();
			assertThat(one.switching.calledOff("second")).isOne();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> switched.get(1, TimeUnit.MINUTES))
				.withCauseInstanceOf(EngineSwitchException.class)
				.withMessageContaining("called off")
				.withMessageContaining("(1 lock)");
			take(two.get("b"));
			assertThat(first.requests).hasSize(2);
			assertThat(lock.isValid()).isTrue();
			lock.unlock();
			assertThat(one.switching.callOff()).isFalse();
		}

		@Test
		void aHolderThatSwitchesDoesNotWaitForItself() {
			lock.lock();
			assertThatIllegalStateException().isThrownBy(() -> one.switching.switchTo("second"))
				.withMessageContaining("'a'");
			lock.unlock();
		}

		@Test
		void anotherSwitchIsRefused() throws Exception {
			lock.lock();
			Future<String> switched = switched();
			awaitDrain(one);
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> one.inBackground(() -> one.switching.switchTo("third")).get(1, TimeUnit.MINUTES))
				.withCauseInstanceOf(EngineSwitchException.class)
				.withMessageContaining("being switched to 'second'");
			lock.unlock();
			switched.get(1, TimeUnit.MINUTES);
		}

	}

	@Test
	void aSwitchIsCalledOffByItselfAfterTheDrainTime() {
		SwitchSettings impatient = new SwitchSettings(Duration.ofSeconds(2), Duration.ofMillis(500),
				Duration.ofSeconds(1), WhenAuthorityAway.STOP_GRANTING);
		try (TestNode three = node(impatient)) {
			this.lock.lock();
			assertThatExceptionOfType(EngineSwitchException.class).isThrownBy(() -> three.switching.switchTo("second"))
				.withMessageContaining("idempotent.lock.switching.drain-time");
			this.lock.unlock();
			take(three.get("b"));
			assertThat(this.second.requests).isEmpty();
		}
	}

	@Test
	void aSwitchDoesNotWaitForANodeThatDied() {
		TestNode dying = node(SETTINGS);
		DistributedLock held = dying.get("b");
		held.lock();
		// It is closed while it holds a lock: its entry stays until it expires.
		dying.close();
		assertThat(this.one.switching.switchTo("second")).isEqualTo("second");
		assertThat(held.isValid()).isFalse();
		take(this.one.get("b"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(held::unlock);
	}

	@Test
	void aSwitchDoesNotWaitForAClosedNode() {
		// Its entry would expire after the switch has been called off.
		TestNode closed = node(new SwitchSettings(SETTINGS.drainTime().multipliedBy(2), SETTINGS.drainTime(),
				SETTINGS.dwellTime(), SETTINGS.authorityAway()));
		take(closed.get("b"));
		closed.close();
		assertThat(this.one.switching.switchTo("second")).isEqualTo("second");
	}

	@Test
	void aReleaseThatThrowsAnErrorIsRepeated() {
		this.first.next((request, wait) -> this.first.grant(request).failingOnce());
		this.lock.lock();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.lock::unlock);
		await().until(() -> !this.first.isTaken("a"));
	}

	@Test
	void refusesToShareAfterASwitchToAnEngineWithoutSharing() {
		try (TestNode node = new TestNode(new MemorySharedEntry(), SETTINGS, new MemoryEngine("one").thatShares(),
				new MemoryEngine("two"))) {
			DistributedLock reader = node.locks.readWrite("a").readLock();
			reader.lock();
			reader.unlock();
			node.switching.switchTo("two");
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(reader::lock);
			assertThat(node.locks.held()).isEmpty();
			assertThat(node.locks.namesInUse()).isZero();
		}
	}

	@Nested
	class WithoutAuthority {

		@AfterEach
		void back() {
			store.away(false);
		}

		@Test
		void theFirstLockFails() {
			store.away(true);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> lock.tryLock())
				.withMessageContaining("the register is away");
		}

		@Test
		void locksAreLostAfterTheLeaseAndGrantedAgainLater() {
			lock.lock();
			store.away(true);
			take(one.get("b"));
			await().until(() -> !lock.isValid());
			assertThat(one.event(LockEvent.Type.LOST).name()).isEqualTo("a");
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> one.get("b").lock());
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
			store.away(false);
			await().ignoreExceptionsInstanceOf(LockUnavailableException.class).until(() -> {
				take(lock);
				return true;
			});
		}

		@Test
		void onRequestLocksAreKept() throws Exception {
			SwitchSettings keeping = new SwitchSettings(Duration.ofSeconds(1), Duration.ofSeconds(20),
					Duration.ofSeconds(1), WhenAuthorityAway.KEEP_GRANTING);
			try (TestNode three = node(keeping)) {
				DistributedLock kept = three.get("c");
				kept.lock();
				store.away(true);
				await().pollInSameThread().during(Duration.ofMillis(1500)).until(kept::isValid);
				take(three.get("d"));
				kept.unlock();
			}
		}

	}

	private static void take(DistributedLock lock) {
		lock.lock();
		lock.unlock();
	}

	private interface ThrowingFunction<T> {

		@Nullable LockGrant apply(T value) throws InterruptedException;

	}

	/**
	 * How a thread asks for a lock, and what becomes of its interrupt.
	 */
	private enum Ways {

		LOCK {
			@Override
			void take(DistributedLock lock) {
				EngineSwitchTests.take(lock);
			}
		},

		LOCK_INTERRUPTIBLY {
			@Override
			void take(DistributedLock lock) throws InterruptedException {
				lock.lockInterruptibly();
				lock.unlock();
			}
		},

		TRY_LOCK {
			@Override
			void take(DistributedLock lock) throws InterruptedException {
				if (lock.tryLock(20, TimeUnit.SECONDS)) {
					lock.unlock();
				}
			}
		},

		ACQUIRE {
			@Override
			void take(DistributedLock lock) throws InterruptedException {
				lock.acquire(Duration.ofSeconds(20)).close();
			}
		};

		abstract void take(DistributedLock lock) throws InterruptedException;

		boolean isInterrupted(DistributedLock lock) {
			try {
				take(lock);
				// Neither needs to wait for a lock that is free.
				return (this == LOCK || this == ACQUIRE) && Thread.interrupted();
			}
			catch (LockNotObtainedException ex) {
				return this == ACQUIRE && Thread.interrupted();
			}
			catch (InterruptedException ex) {
				return !Thread.currentThread().isInterrupted();
			}
		}

	}

}
