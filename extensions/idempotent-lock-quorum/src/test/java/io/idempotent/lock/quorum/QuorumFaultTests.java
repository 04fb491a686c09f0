package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.quorum.LockServer.TakeReply;
import io.idempotent.testing.RedisTalk;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Five real servers that fail, hang, forget and disagree about the time. One node has a
 * network that fails, the other one is connected directly.
 */
@Timeout(60)
@Tag("slow")
class QuorumFaultTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final Duration TIMEOUT = FiveServers.TIMEOUT;

	private static final LockRequest REQUEST = new LockRequest("stock:42", LEASE, false);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final FiveServers five = FiveServers.start();

	private final QuorumLockEngine distant = this.five.distant(TIMEOUT);

	private final QuorumLockEngine near = this.five.node();

	@BeforeEach
	void connect() throws Exception {
		LockRequest first = new LockRequest("first", LEASE, false);
		requireNonNull(this.distant.acquire(first, Duration.ZERO)).release(Duration.ZERO);
		requireNonNull(this.near.acquire(first, Duration.ZERO)).release(Duration.ZERO);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.distant.close();
		this.near.close();
		this.five.close();
	}

	@Test
	void readersAreRefused() {
		assertThat(this.near.supports(LockMode.READ)).isFalse();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.near.acquire(REQUEST.withMode(LockMode.READ), Duration.ZERO))
			.withMessageContaining("'quorum' has no read locks");
	}

	@Nested
	class AMinorityIsAway {

		@Test
		void lockingGoesOnWithoutIt() throws Exception {
			stop(0, 1);
			LockGrant grant = take(distant);
			assertThat(near.acquire(REQUEST, Duration.ZERO)).isNull();
			assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
			assertThat(grant.release(Duration.ofMillis(300))).isEqualTo(GrantState.HELD);
			assertThat(near.acquire(REQUEST, Duration.ZERO)).isNull();
			assertThat(take(near, Duration.ofSeconds(10)).token()).isGreaterThan(grant.token());
		}

		@Test
		void aLockSurvivesItsDeath() throws Exception {
			LockGrant grant = take(distant);
			stop(3, 4);
			assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
			assertThat(near.acquire(REQUEST, Duration.ZERO)).isNull();
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		}

		@Test
		void aHangingMinorityDelaysNothing() throws Exception {
			freeze(0, 1);
			long start = System.nanoTime();
			LockGrant grant = take(distant);
			grant.renew(LEASE);
			assertThat(distant.acquire(REQUEST, Duration.ZERO)).isNull();
			grant.release(Duration.ZERO);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).as("of four calls")
				.isLessThan(TIMEOUT.multipliedBy(3));
		}

		@Test
		void aWaitingNodeIsNotifiedNevertheless() throws Exception {
			stop(0, 1);
			Duration shortest = LEASE;
			// The best of some, since a busy machine is late now and then.
			for (int i = 0; i < 5 && shortest.toMillis() > 400; i++) {
				LockGrant grant = take(distant, Duration.ofSeconds(10));
				Future<LockGrant> next = waiting(near);
				awaitSubscriber(2);
				long start = System.nanoTime();
				grant.release(Duration.ZERO);
				next.get(20, TimeUnit.SECONDS).release(Duration.ZERO);
				Duration time = Duration.ofNanos(System.nanoTime() - start);
				shortest = (time.compareTo(shortest) < 0) ? time : shortest;
			}
			assertThat(shortest).as("shorter than the interval between questions").isLessThan(Duration.ofMillis(400));
		}

		@Test
		void itServesAgainWhenItIsBack() throws Exception {
			stop(0, 1);
			take(near).release(Duration.ZERO);
			five.server(0).restart();
			five.server(1).restart();
			stop(2, 3);
			await().ignoreException(LockUnavailableException.class)
				.until(() -> near.acquire(REQUEST, Duration.ZERO) != null);
		}

	}

	@Nested
	class AMajorityIsAway {

		@Test
		void theAttemptFailsInTimeAndHoldsNothing() throws Exception {
			stop(0, 1, 2);
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> near.acquire(REQUEST, LEASE))
				.withMessageContaining("'quorum' could not take the lock 'stock:42': only")
				.withMessageContaining("of 5 servers agreed, and 3 are needed")
				.withMessageContaining("127.0.0.1:" + five.server(0).port());
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT.plusSeconds(1));
			await().untilAsserted(() -> assertThat(holders()).isEmpty());
		}

		@Test
		void aHangingMajorityIsReportedAfterTheTimeout() throws Exception {
			freeze(0, 1, 2);
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> distant.acquire(REQUEST, LEASE))
				.withMessageContaining("only 2 of 5 servers agreed");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(TIMEOUT.minusMillis(50),
					TIMEOUT.plusSeconds(10));
			thaw(0, 1, 2);
			take(near, LEASE.plusSeconds(5));
		}

		@Test
		void grantsWithoutRepliesAreGivenBack() throws Exception {
			LockRequest patient = new LockRequest("stock:42", Duration.ofMinutes(10), false);
			for (int i = 0; i < 3; i++) {
				five.network(i).freezeReplies();
			}
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> distant.acquire(patient, Duration.ZERO));
			for (int i = 0; i < 3; i++) {
				five.network(i).thawReplies();
			}
			take(near, Duration.ofSeconds(20));
		}

		@Test
		void aLockIsNotRenewedAndItsReleaseIsNotConfirmed() throws Exception {
			// Longer than both time-outs on a busy machine.
			Duration lease = Duration.ofSeconds(15);
			LockGrant grant = take(distant, Duration.ZERO, lease);
			// The first majority may be another one.
			await().until(() -> holders().size() == 5);
			freeze(0, 1, 2);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> grant.renew(LEASE))
				.withMessageContaining("renew the lock 'stock:42'");
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> grant.release(Duration.ZERO))
				.withMessageContaining("release the lock 'stock:42'");
			assertThat(near.acquire(REQUEST, Duration.ZERO)).isNull();
			take(near, lease.plusSeconds(5));
		}

		@Test
		void aWaitingNodeFailsInTime() throws Exception {
			take(near, Duration.ZERO, Duration.ofMinutes(1));
			Future<LockGrant> waiting = waiting(distant);
			awaitSubscriber(0);
			freeze(0, 1, 2);
			assertThat(waiting).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.withCauseInstanceOf(LockUnavailableException.class);
		}

	}

	/**
	 * The holder's majority is 0, 1 and 2, since the others were away when it acquired
	 * the lock.
	 */
	@Nested
	class AServerRestartsEmpty {

		private LockGrant grant;

		@BeforeEach
		void lockWithThree() throws Exception {
			stop(3, 4);
			this.grant = take(near);
			restart(3, 4);
		}

		@Test
		void tooEarlyTheLockMayBeGrantedTwiceWithOrderedTokens() throws Exception {
			five.server(0).restart();
			LockGrant second = takeAgain();
			assertThat(second.token()).isGreaterThan(this.grant.token());
			assertThat(this.grant.renew(LEASE)).as("told at the next renewal").isEqualTo(GrantState.LOST);
			assertThat(second.renew(LEASE)).isEqualTo(GrantState.HELD);
		}

		@Test
		void afterALeaseItIsHarmless() throws Exception {
			five.server(0).stop();
			assertThatExceptionOfType(LockUnavailableException.class).as("2 of 5")
				.isThrownBy(() -> this.grant.renew(LEASE));
			assertThat(distant.acquire(REQUEST, Duration.ZERO)).isNull();
			TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() + 100);
			five.server(0).restart();
			assertThat(this.grant.renew(LEASE)).isEqualTo(GrantState.LOST);
			assertThat(takeAgain().token()).isGreaterThan(this.grant.token());
		}

		@Test
		void aRenewalSpreadsTheLockToServersThatCameBack() throws Exception {
			await().untilAsserted(() -> {
				assertThat(this.grant.renew(LEASE)).isEqualTo(GrantState.HELD);
				assertThat(holders()).hasSize(5);
			});
			for (int server = 0; server < 5; server++) {
				five.server(server).restart();
				await().ignoreException(LockUnavailableException.class).untilAsserted(() -> {
					assertThat(this.grant.renew(LEASE)).isEqualTo(GrantState.HELD);
					assertThat(holders()).hasSize(5);
				});
			}
			assertThat(this.grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			await().untilAsserted(() -> assertThat(holders()).isEmpty());
			assertThat(takeAgain().token()).isGreaterThan(this.grant.token());
		}

	}

	@Nested
	class ClocksDisagree {

		/** In units of 16 microseconds, in the year 2096. */
		private static final long FAR_AHEAD = 250_000_000_000_000L;

		@Test
		void aLockThatEndsEarlyAtAMinorityStaysHeld() throws Exception {
			LockGrant grant = take(near);
			setClockForward(0, 1);
			assertThat(distant.acquire(REQUEST, Duration.ZERO)).isNull();
			assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
		}

		@Test
		void aLockThatEndsEarlyAtAMajorityIsGrantedAgainWithAHigherToken() throws Exception {
			setCounter(FAR_AHEAD, 2);
			LockGrant grant = take(near);
			setClockForward(0, 1, 2);
			LockGrant second = takeAgain();
			assertThat(second.token()).isGreaterThan(grant.token());
			assertThat(grant.renew(LEASE)).isEqualTo(GrantState.LOST);
		}

		@Test
		void tokensContinueFromACounterThatIsFarAhead() throws Exception {
			setCounter(FAR_AHEAD, 0);
			// Each majority contains that server.
			freeze(3, 4);
			LockGrant grant = take(distant, Duration.ofSeconds(10));
			assertThat(grant.token()).isGreaterThan(FAR_AHEAD);
			grant.release(Duration.ZERO);
			thaw(3, 4);
			stop(0, 1);
			LockGrant next = takeAgain(near);
			assertThat(next.token()).isEqualTo(grant.token() + 1);
		}

		@Test
		void oneWrongClockOfThreeDoesNotMoveTokens() {
			List<TakeReply> replies = List.of(new TakeReply(true, 5, 2000, 0, null),
					new TakeReply(true, 7, FAR_AHEAD, 0, null), new TakeReply(true, 6, 1000, 0, null));
			assertThat(Ballot.nextToken(replies)).isEqualTo(2000);
		}

		@Test
		void aTokenExceedsTheHighestCounterDespiteClockSkew() {
			List<TakeReply> replies = List.of(new TakeReply(true, 5, 1, 0, null), new TakeReply(true, 7, 2, 0, null),
					new TakeReply(true, 6, 3, 0, null));
			assertThat(Ballot.nextToken(replies)).isEqualTo(8);
		}

		@Test
		void aTokenOverflowIsRefused() throws Exception {
			setCounter(1L << 53, 0, 1, 2, 3, 4);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> near.acquire(REQUEST, Duration.ZERO))
				.withMessageContaining("raise the token");
			await().untilAsserted(() -> assertThat(holders()).isEmpty());
		}

		/** What a clock that is set forward by more than the lease does to a lock. */
		private void setClockForward(int... servers) {
			await().until(() -> holders().size() == 5);
			for (int server : servers) {
				RedisTalk.ask(five.server(server), "PEXPIRE stock:42:quorum -1");
			}
		}

		private void setCounter(long value, int... servers) {
			for (int server : servers) {
				RedisTalk.tell(five.server(server), "SET stock:42:quorum-token " + value);
			}
		}

	}

	@Test
	void aLeaseThatTheServersUseUpIsNotGranted() {
		LockRequest brief = new LockRequest("stock:42", Duration.ofMillis(300), false);
		Duration patient = TIMEOUT.multipliedBy(5);
		List<LockServer> late = QuorumServers.of(this.five.urls(), patient)
			.all()
			.stream()
			.map((server) -> LossyServer.raising(server, QuorumFaultTests::late))
			.toList();
		try (QuorumLockEngine engine = new QuorumLockEngine(new QuorumServers(late, 3, patient), "")) {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.acquire(brief, Duration.ZERO))
				.withMessageContaining("of the lease of 300 ms nothing is left");
		}
	}

	/** Accepts a token in time, and replies when the lease is over. */
	private static Object late(MethodInvocation raise) throws Throwable {
		return ((CompletableFuture<?>) raise.proceed()).thenApplyAsync((raised) -> raised,
				CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS));
	}

	@Test
	void aKeyThatIsNoLockIsReported() {
		this.five.servers().forEach((server) -> RedisTalk.tell(server, "SET stock:42:quorum data"));
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.near.acquire(REQUEST, Duration.ZERO))
			.withMessageContaining("the key stock:42:quorum is no lock, since it has no time to live");
	}

	private LockGrant takeAgain() {
		return takeAgain(this.distant);
	}

	/** When the client has noticed that servers are back. */
	private static LockGrant takeAgain(QuorumLockEngine engine) {
		return await().ignoreException(LockUnavailableException.class)
			.atMost(LEASE.minusMillis(500))
			.until(() -> engine.acquire(REQUEST, Duration.ZERO), (grant) -> grant != null);
	}

	private static LockGrant take(QuorumLockEngine engine) throws Exception {
		return take(engine, Duration.ZERO);
	}

	private static LockGrant take(QuorumLockEngine engine, Duration wait) throws Exception {
		return take(engine, wait, LEASE);
	}

	private static LockGrant take(QuorumLockEngine engine, Duration wait, Duration lease) throws Exception {
		return requireNonNull(engine.acquire(new LockRequest("stock:42", lease, false), wait));
	}

	private Future<LockGrant> waiting(QuorumLockEngine engine) {
		return this.threads.submit(() -> take(engine, Duration.ofSeconds(30)));
	}

	private void awaitSubscriber(int server) {
		await().until(() -> RedisTalk.ask(this.five.server(server), "PUBSUB NUMSUB stock:42:quorum").contains(":1"));
	}

	private List<EmbeddedRedis> holders() {
		return this.five.servers()
			.stream()
			.filter(EmbeddedRedis::isRunning)
			.filter((server) -> !RedisTalk.ask(server, "EXISTS stock:42:quorum").startsWith(":0"))
			.toList();
	}

	private void stop(int... servers) {
		IntStream.of(servers).forEach((server) -> this.five.server(server).stop());
	}

	private void restart(int... servers) {
		IntStream.of(servers).forEach((server) -> this.five.server(server).restart());
	}

	private void freeze(int... servers) {
		IntStream.of(servers).forEach((server) -> this.five.network(server).freeze());
	}

	private void thaw(int... servers) {
		IntStream.of(servers).forEach((server) -> this.five.network(server).thaw());
	}

}
