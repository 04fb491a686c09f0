package io.idempotent.submission.claim;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.WhenUnknown;
import io.idempotent.logging.Outage;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.Decision;
import io.idempotent.submission.FaultyStore;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.TestGate;
import io.idempotent.submission.TestPolicy;
import io.idempotent.submission.event.IdempotencyListeners;
import io.idempotent.submission.event.WatchedStore;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.OperationReceipts;
import io.idempotent.submission.receipt.Receipts;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * What the sweeper does. Where leases have to lapse, they do so in real time.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClaimsTests {

	private static final Duration SHORT = Duration.ofMillis(600);

	private static final int MEGABYTE = 1 << 20;

	private final List<IdempotencyEvent> events = new CopyOnWriteArrayList<>();

	private final LocalIdempotencyStore records = new LocalIdempotencyStore(1_000);

	private final Set<OperationKey> renewed = ConcurrentHashMap.newKeySet();

	private final FaultyStore store = new FaultyStore(this.records) {
		@Override
		public Ownership renew(ClaimId claim, Duration lease) {
			ClaimsTests.this.renewed.add(claim.key());
			return super.renew(claim, lease);
		}
	};

	@AutoClose
	private final IdempotencyGate gate = gate(this.store);

	@AutoClose
	private final Claims leases = claims(this.store, new IdempotencyListeners(List.of(this.events::add)));

	private final Submission submission = submission("order 1");

	private static Claims claims(IdempotencyStore store, IdempotencyListeners listeners) {
		return new Claims(watched(store), OutcomeCache.NONE, listeners, new OperationReceipts(null, (event) -> {
		}), (operation) -> null);
	}

	private static Claims claims(IdempotencyStore store, IdempotencyListeners listeners,
			ScheduledExecutorService sweeper, ExecutorService workers) {
		return new Claims(watched(store), OutcomeCache.NONE, listeners, new OperationReceipts(null, (event) -> {
		}), (operation) -> null, sweeper, workers);
	}

	static WatchedStore watched(IdempotencyStore store) {
		return new WatchedStore(store, RecordEncryption.NONE, Outage.QUIET, new IdempotencyListeners(List.of()));
	}

	private IdempotencyGate gate(IdempotencyStore through) {
		return new IdempotencyGate.Builder(through).listeners(List.of(this.events::add)).build();
	}

	private Claim run(OperationPolicy policy) {
		return TestGate.claim(TestGate.decide(this.gate, policy, this.submission));
	}

	private List<IdempotencyEvent.Type> told() {
		return this.events.stream().map(IdempotencyEvent::type).toList();
	}

	// Renewal

	@Test
	void aClaimIsRenewedWhileItRunsPastItsLease() {
		Duration lease = Duration.ofSeconds(2);
		OperationPolicy policy = TestPolicy.lease(lease, WhenUnknown.REJECT);
		long start = System.nanoTime();
		Claim claim = run(policy);
		await().until(() -> System.nanoTime() - start > 2 * lease.toNanos());
		assertThat(this.store.count(Call.RENEW)).isBetween(2L, 6L);
		assertThat(claim.isLost()).isFalse();
		assertThat(TestGate.decide(this.gate, policy, this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		complete(claim);
		assertThat(TestGate.decide(this.gate, policy, this.submission)).isInstanceOf(Decision.Replay.class);
	}

	/** As those of the masters of a Redis Cluster, of which one hangs. */
	@Test
	void aStoreSaysHowManyRenewalsMayHangWithoutDelayingOthers() {
		CountDownLatch comesBack = new CountDownLatch(1);
		IdempotencyStore partlyHanging = new FaultyStore(this.records) {
			@Override
			public Ownership renew(ClaimId claim, Duration lease) {
				ClaimsTests.this.renewed.add(claim.key());
				if (!claim.key().equals(ClaimsTests.this.submission.key())) {
					awaitUninterruptibly(comesBack);
				}
				return super.renew(claim, lease);
			}

			@Override
			public int renewalsAtOnce() {
				return 8;
			}
		};
		try (IdempotencyGate several = gate(partlyHanging)) {
			OperationPolicy policy = TestPolicy.lease(Duration.ofSeconds(3), WhenUnknown.REJECT);
			for (int i = 0; i < 7; i++) {
				TestGate.decide(several, policy, submission("hanging " + i));
			}
			await().until(() -> this.renewed.size() == 7);
			TestGate.decide(several, policy, this.submission);
			await().until(() -> this.renewed.contains(this.submission.key()));
			comesBack.countDown();
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void aShortLeaseIsRenewedAfterALongOne() {
		TestGate.claim(TestGate.decide(this.gate, TestPolicy.DEFAULT, submission("order 2")));
		run(TestPolicy.lease(Duration.ofMillis(120)));
		await().until(() -> this.store.count(Call.RENEW) >= 3);
		assertThat(this.store.count(Call.CLAIM)).isEqualTo(2);
	}

	@Test
	void sweepsBecomeRareAgainAfterAShortLease() {
		Sweeps sweeps = new Sweeps();
		try (Claims keeper = claims(this.store, new IdempotencyListeners(List.of()), sweeps,
				Executors.newSingleThreadExecutor())) {
			keptBy(keeper, submission("order 1"), TestPolicy.LEASE);
			Claim shortOne = keptBy(keeper, submission("order 2"), SHORT);
			assertThat(sweeps.lastDelay()).isEqualTo(SHORT.dividedBy(6));
			keeper.stopRenewal(shortOne);
			sweeps.runLast();
			assertThat(sweeps.lastDelay()).isEqualTo(Duration.ofSeconds(1));
		}
	}

	@Test
	void aBurntClaimIsNotRenewed() {
		ClaimRequest request = new ClaimRequest(this.submission.key(), new Owner(1, 2), this.submission.fingerprint(),
				Duration.ofMillis(1), TestPolicy.RETENTION, ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.TAKE_OVER,
				ClaimRequest.Term.BURNT, false);
		this.leases.startRenewal(new Claim(request.claimId(1), TestPolicy.lease(Duration.ofMillis(1)), request,
				request.retention(), 0, this.leases));
		Submission leased = submission("order 2");
		TestGate.claim(TestGate.decide(this.gate, TestPolicy.lease(Duration.ofMillis(60)), leased));
		await().until(() -> this.store.count(Call.RENEW) >= 3);
		assertThat(this.renewed).containsExactly(leased.key());
	}

	/** As by a full Redis, which accepts renewals. */
	@ParameterizedTest
	@FieldSource("io.idempotent.submission.claim.ClaimTests#SPOKEN")
	void aClaimIsRenewedUntilItsEndIsRecorded(ClaimTests.Way end) {
		AtomicBoolean full = new AtomicBoolean(true);
		FaultyStore refusing = new FaultyStore(this.records) {
			@Override
			public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
				refuse();
				return super.complete(claim, outcome, retention);
			}

			@Override
			public Ownership release(ClaimId claim, Release release) {
				refuse();
				return super.release(claim, release);
			}

			private void refuse() {
				if (full.get()) {
					throw StoreUnavailableException.withoutEffect("The store is full", null);
				}
			}
		};
		Duration lease = Duration.ofSeconds(2);
		OperationPolicy policy = TestPolicy.lease(lease);
		try (IdempotencyGate node = gate(refusing)) {
			end.end(TestGate.claim(TestGate.decide(node, policy, this.submission)));
			long start = System.nanoTime();
			await().until(() -> System.nanoTime() - start > 2 * lease.toNanos());
			assertThat(TestGate.decide(this.gate, policy, this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
			full.set(false);
			node.flush();
			await().until(() -> node.status().running() == 0);
			assertThat(told()).contains(IdempotencyEvent.Type.WRITE_DELAYED)
				.doesNotContain(IdempotencyEvent.Type.CLAIM_LOST, IdempotencyEvent.Type.WRITE_DROPPED);
			assertThat(TestGate.decide(this.gate, policy, this.submission)).isNotEqualTo(refused(Refusal.IN_PROGRESS));
		}
	}

	@Test
	void aRenewalThatFailsOnceIsRepeatedBeforeTheLeaseLapses() {
		OperationPolicy policy = TestPolicy.lease(SHORT, WhenUnknown.REJECT);
		this.store.next(Call.RENEW, Fault.UNREACHABLE, Fault.NONE, Fault.before(() -> {
			throw new IllegalStateException("A bug in the client");
		}), Fault.before(() -> {
			throw new NoClassDefFoundError("a driver of another version");
		}));
		Claim claim = run(policy);
		await().until(() -> this.store.count(Call.RENEW) >= 5);
		assertThat(claim.isLost()).isFalse();
		assertThat(TestGate.decide(this.gate, policy, this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
	}

	@Test
	void aRunIsNotifiedThatItsClaimWasTakenOver() {
		OperationPolicy policy = TestPolicy.lease(SHORT);
		Claim claim = run(policy);
		this.store.goDown();
		await().until(claim::isLost);
		try (IdempotencyGate otherNode = gate(this.records)) {
			await().until(() -> TestGate.decide(otherNode, policy, this.submission) instanceof Decision.Run);
			this.store.comeBack();
			await().untilAsserted(() -> assertThat(told()).contains(IdempotencyEvent.Type.CLAIM_LOST));
			assertThat(claim.isLost()).isTrue();
			complete(claim);
			assertThat(told()).containsOnlyOnce(IdempotencyEvent.Type.CLAIM_LOST);
		}
	}

	@Test
	void renewalsSurviveAThreadThatCannotBeStarted() {
		AtomicInteger refused = new AtomicInteger();
		ExecutorService threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
			@Override
			public void execute(Runnable task) {
				if (refused.incrementAndGet() <= 2) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				super.execute(task);
			}
		};
		try (Claims keeper = claims(this.store, new IdempotencyListeners(List.of()),
				Executors.newSingleThreadScheduledExecutor(), threads)) {
			Claim claim = keptBy(keeper, this.submission);
			await().until(() -> this.store.count(Call.RENEW) >= 4);
			assertThat(claim.isLost()).isFalse();
		}
	}

	@Test
	void concurrentRequestsForASweepScheduleOne() {
		Sweeps sweeps = new Sweeps();
		try (Claims keeper = claims(this.store, new IdempotencyListeners(List.of()), sweeps,
				Executors.newSingleThreadExecutor())) {
			keptBy(keeper, submission("order 1"), TestPolicy.LEASE);
			keptBy(keeper, submission("order 2"), SHORT);
			assertThat(sweeps.tasks).hasSize(2);
			// The first one had begun when the second one was asked for.
			sweeps.tasks.get(0).run();
			assertThat(sweeps.planned).filteredOn((future) -> !future.isDone()).hasSize(1);
		}
	}

	@Test
	void theSweeperIsADaemonWithAName() {
		run(TestPolicy.DEFAULT);
		assertThat(Thread.getAllStackTraces().keySet()).filteredOn("name", "idempotent-lease-sweeper")
			.isNotEmpty()
			.allMatch(Thread::isDaemon);
	}

	@Test
	void aGateThatIsClosedRenewsNothing() {
		Claim claim = run(TestPolicy.lease(SHORT));
		this.gate.close();
		await().until(claim::isLost);
		assertThat(this.store.count(Call.RENEW)).isZero();
		TestGate.claim(TestGate.decide(this.gate, TestPolicy.DEFAULT, submission("order 2"))).end(End.RELEASED);
	}

	@Test
	void closingWaitsForTheSweepThatRuns() throws InterruptedException {
		CountDownLatch renewing = new CountDownLatch(1);
		CountDownLatch finished = new CountDownLatch(1);
		this.store.next(Call.RENEW, Fault.before(() -> {
			renewing.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				finished.countDown();
			}
		}));
		run(TestPolicy.lease(Duration.ofMillis(60)));
		assertThat(renewing.await(1, TimeUnit.MINUTES)).isTrue();
		this.gate.close();
		assertThat(finished.getCount()).isZero();
	}

	@Test
	void anInterruptedCloseStillFlushesAndKeepsTheInterrupt() throws InterruptedException {
		CountDownLatch renewing = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		this.store.next(Call.RENEW, Fault.before(() -> {
			renewing.countDown();
			while (closed.getCount() > 0) {
				Thread.onSpinWait();
			}
		}));
		run(TestPolicy.lease(Duration.ofMillis(60)));
		Claim claim = TestGate.claim(TestGate.decide(this.gate, TestPolicy.DEFAULT, submission("order 2")));
		assertThat(renewing.await(1, TimeUnit.MINUTES)).isTrue();
		this.store.next(Call.COMPLETE, Fault.UNREACHABLE);
		complete(claim);
		Thread.currentThread().interrupt();
		this.gate.close();
		closed.countDown();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(told()).endsWith(IdempotencyEvent.Type.COMPLETED);
	}

	@Test
	void anEndedClaimIsNotHeldAnyLonger() {
		WeakReference<Claim> claim = new WeakReference<>(run(TestPolicy.DEFAULT));
		claim.get().end(End.RELEASED);
		await().until(() -> {
			System.gc();
			return claim.get() == null;
		});
	}

	@Test
	void aClaimWithTheFingerprintOfTheRecordIsWithdrawnWithIt() {
		Submission uncompared = this.submission.with(Fingerprint.of(this.submission.key()));
		ClaimRequest lapsed = request(uncompared, new Owner(7, 0), Duration.ofMillis(1));
		this.records.claim(lapsed);
		this.records.release(lapsed.claimId(1), Release.UNKNOWN);
		this.store.next(Call.CLAIM, Fault.NONE, Fault.NONE.andAfter(() -> {
			throw new IllegalStateException("a defect");
		}));
		assertThatIllegalStateException().isThrownBy(() -> this.leases.claim(TestPolicy.DEFAULT,
				request(this.submission, new Owner(8, 0), TestPolicy.LEASE)));
		this.leases.flush();
		assertThat(this.records.claim(request(uncompared, new Owner(9, 0), TestPolicy.LEASE)))
			.isEqualTo(new ClaimResult.Granted(3, true));
	}

	// What the store did not take

	private PendingWrite.EndedClaim end(int number, Outcome outcome) {
		return end(number, outcome, this.leases);
	}

	private PendingWrite.EndedClaim end(int number, Outcome outcome, Claims keeper) {
		Submission one = submission("order " + number);
		ClaimRequest request = new ClaimRequest(one.key(), new Owner(number, 0), one.fingerprint(), TestPolicy.LEASE,
				TestPolicy.RETENTION, ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.TAKE_OVER,
				ClaimRequest.Term.LEASED, false);
		this.records.claim(request);
		Claim claim = new Claim(request.claimId(1), TestPolicy.DEFAULT, request, request.retention(), 0, keeper);
		return new PendingWrite.EndedClaim(claim, End.completed(outcome), TestPolicy.RETENTION);
	}

	private Outcome met(int number) {
		Submission one = submission("order " + number);
		ClaimResult result = this.records.claim(
				new ClaimRequest(one.key(), new Owner(0, 1), one.fingerprint(), TestPolicy.LEASE, TestPolicy.RETENTION,
						ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false));
		assertThat(result).isInstanceOf(ClaimResult.Completed.class);
		return ((ClaimResult.Completed) result).outcome();
	}

	@Test
	void aFailedWriteIsRetriedInTheBackground() {
		this.leases.services().pending().add(end(1, TestGate.ANSWER));
		await().untilAsserted(() -> assertThat(told()).containsExactly(IdempotencyEvent.Type.COMPLETED));
		assertThat(met(1)).isEqualTo(TestGate.ANSWER);
	}

	@Test
	void withdrawalsLeaveRoomForOutcomes() {
		this.store.goDown();
		PendingWrites pending = this.leases.services().pending();
		ClaimId lost = end(1, TestGate.ANSWER).claim().id();
		ClaimRequest request = new ClaimRequest(lost.key(), lost.owner(), lost.fingerprint(), TestPolicy.LEASE,
				TestPolicy.RETENTION, ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED,
				false);
		PendingWrite withdrawal = new PendingWrite.Withdrawal(request, TestPolicy.OPERATION, false);
		for (int i = 0; i < 120_000; i++) {
			pending.add(withdrawal);
		}
		assertThat(pending.bytes()).isPositive().isLessThan(9 * 1024 * 1024);
		pending.add(end(2, Outcome.stored(new byte[6 * 1024 * 1024])));
		this.store.comeBack();
		await().untilAsserted(() -> assertThat(met(2)).isInstanceOf(Outcome.Stored.class));
		assertThat(told()).containsExactly(IdempotencyEvent.Type.COMPLETED);
	}

	/** As if one shard of the store were away for long. */
	@Test
	void anOutcomeDoesNotWaitForWithdrawals() {
		PendingWrites pending = this.leases.services().pending();
		ClaimId lost = end(1, TestGate.ANSWER).claim().id();
		ClaimRequest request = new ClaimRequest(lost.key(), lost.owner(), lost.fingerprint(), TestPolicy.LEASE,
				TestPolicy.RETENTION, ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED,
				false);
		Fault[] away = new Fault[2 * PendingWrites.MAX_FAILURES_IN_A_ROW];
		Arrays.fill(away, Fault.UNREACHABLE);
		this.store.next(Call.CLAIM, away);
		for (int i = 0; i < away.length; i++) {
			pending.add(new PendingWrite.Withdrawal(request, TestPolicy.OPERATION, false));
		}
		pending.add(end(2, TestGate.ANSWER));
		pending.flush();
		assertThat(this.store.count(Call.COMPLETE)).isEqualTo(1);
		assertThat(told()).containsExactly(IdempotencyEvent.Type.COMPLETED);
	}

	@Test
	void aFlushStopsIfTheStoreIsUnavailable() {
		this.store.goDown();
		for (int i = 1; i <= 2 * PendingWrites.MAX_FAILURES_IN_A_ROW; i++) {
			this.leases.services().pending().add(end(i, TestGate.ANSWER));
		}
		long before = this.store.count(Call.COMPLETE);
		this.leases.services().pending().flush();
		assertThat(this.store.count(Call.COMPLETE) - before).isBetween((long) PendingWrites.MAX_FAILURES_IN_A_ROW,
				2L * PendingWrites.MAX_FAILURES_IN_A_ROW);
		this.store.comeBack();
		await().untilAsserted(() -> assertThat(told()).containsOnly(IdempotencyEvent.Type.COMPLETED)
			.hasSize(2 * PendingWrites.MAX_FAILURES_IN_A_ROW));
	}

	@Test
	void aFailingWriteDoesNotDelayOthers() {
		PendingWrite.EndedClaim first = end(1, TestGate.ANSWER);
		FaultyStore shards = new FaultyStore(this.records) {
			@Override
			public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
				if (claim.equals(first.claim().id())) {
					throw new StoreUnavailableException("The shard of this key is away", null);
				}
				return super.complete(claim, outcome, retention);
			}
		};
		try (Claims keeper = claims(shards, new IdempotencyListeners(List.of(this.events::add)))) {
			keeper.services().pending().add(first);
			keeper.services().pending().add(end(2, TestGate.ANSWER));
			keeper.services().pending().add(end(3, TestGate.ANSWER));
			await().untilAsserted(() -> assertThat(told()).containsExactly(IdempotencyEvent.Type.COMPLETED,
					IdempotencyEvent.Type.COMPLETED));
		}
		assertThat(told()).endsWith(IdempotencyEvent.Type.WRITE_DROPPED);
	}

	@Test
	void renewalsDoNotWaitForSlowWrites() {
		Fault slow = Fault.before(() -> nap(20));
		for (int i = 1; i <= 200; i++) {
			this.store.next(Call.COMPLETE, slow);
			this.leases.services().pending().add(end(i, TestGate.ANSWER));
		}
		Claim claim = keptBy(this.leases, submission("order 1000"));
		long start = System.nanoTime();
		await().until(() -> System.nanoTime() - start > 3 * SHORT.toNanos());
		assertThat(claim.isLost()).isFalse();
		assertThat(this.store.count(Call.COMPLETE)).isLessThan(200);
		assertThat(this.renewed).contains(claim.key());
	}

	private Claim keptBy(Claims keeper, Submission one) {
		return keptBy(keeper, one, SHORT);
	}

	private Claim keptBy(Claims keeper, Submission one, Duration lease) {
		ClaimRequest request = request(one, new Owner(7, 0), lease);
		this.records.claim(request);
		Claim claim = new Claim(request.claimId(1), TestPolicy.lease(lease), request, request.retention(),
				System.nanoTime(), keeper);
		keeper.startRenewal(claim);
		return claim;
	}

	private static ClaimRequest request(Submission one, Owner owner, Duration lease) {
		return new ClaimRequest(one.key(), owner, one.fingerprint(), lease, TestPolicy.RETENTION,
				ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.TAKE_OVER, ClaimRequest.Term.LEASED, false);
	}

	private static void nap(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void anImpossibleWriteDoesNotBlockOthers() {
		this.store.goDown();
		this.leases.services().pending().add(end(1, TestGate.ANSWER));
		this.leases.services().pending().add(end(2, TestGate.ANSWER));
		this.store.next(Call.COMPLETE, Fault.UNREADABLE).comeBack();
		await().untilAsserted(() -> assertThat(told()).containsExactly(IdempotencyEvent.Type.WRITE_DROPPED,
				IdempotencyEvent.Type.COMPLETED));
		assertThat(met(2)).isEqualTo(TestGate.ANSWER);
	}

	@Test
	void aWriteThatMeetsAnErrorIsRetried() {
		this.store.next(Call.COMPLETE, Fault.before(() -> {
			throw new NoClassDefFoundError("a driver of another version");
		}), Fault.before(() -> {
			throw new IllegalStateException("a defect");
		}));
		this.leases.services().pending().add(end(1, TestGate.ANSWER));
		this.leases.services().pending().add(end(2, TestGate.ANSWER));
		await().untilAsserted(() -> assertThat(told()).containsExactly(IdempotencyEvent.Type.COMPLETED,
				IdempotencyEvent.Type.COMPLETED));
		assertThat(met(1)).isEqualTo(TestGate.ANSWER);
	}

	@Test
	void aWriteThatAlwaysFailsIsReportedAsDropped() {
		PendingWrite.EndedClaim first = end(1, TestGate.ANSWER);
		FaultyStore failing = new FaultyStore(this.records) {
			@Override
			public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
				if (claim.equals(first.claim().id())) {
					throw new IllegalStateException("a defect");
				}
				return super.complete(claim, outcome, retention);
			}
		};
		try (PendingWrites ends = new PendingWrites(watched(failing),
				new IdempotencyListeners(List.of(this.events::add)))) {
			ends.add(first);
			for (int i = 1; i < PendingWrites.MAX_ATTEMPTS; i++) {
				ends.flush();
			}
			assertThat(told()).isEmpty();
			ends.flush();
			assertThat(told()).containsExactly(IdempotencyEvent.Type.WRITE_DROPPED);
		}
		assertThat(told()).hasSize(1);
	}

	@Test
	void aClaimThatCannotBeRenewedIsGivenBack() {
		AtomicInteger refused = new AtomicInteger();
		ScheduledThreadPoolExecutor sweeper = new ScheduledThreadPoolExecutor(1) {
			@Override
			public ScheduledFuture<?> schedule(Runnable sweep, long delay, TimeUnit unit) {
				if (refused.incrementAndGet() == 1) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return super.schedule(sweep, delay, unit);
			}
		};
		try (Claims keeper = claims(this.store, new IdempotencyListeners(List.of()), sweeper,
				Executors.newSingleThreadExecutor())) {
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> keptBy(keeper, submission("order 1")));
			Claim second = keptBy(keeper, submission("order 2"));
			await().until(() -> this.store.count(Call.RENEW) >= 2);
			assertThat(second.isLost()).isFalse();
			assertThat(this.renewed).containsExactly(second.key());
		}
	}

	@Test
	void aClaimThatWasTakenOverAndCannotBeRenewedStaysUnknown() {
		ScheduledThreadPoolExecutor sweeper = new ScheduledThreadPoolExecutor(1) {
			@Override
			public ScheduledFuture<?> schedule(Runnable sweep, long delay, TimeUnit unit) {
				throw new OutOfMemoryError("unable to create native thread");
			}
		};
		ClaimRequest request = request(this.submission, new Owner(7, 0), TestPolicy.LEASE);
		ClaimResult.Granted granted = new ClaimResult.Granted(1, true);
		this.records.claim(request);
		try (Claims keeper = claims(this.store, new IdempotencyListeners(List.of()), sweeper,
				Executors.newSingleThreadExecutor())) {
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> keeper.open(TestPolicy.DEFAULT,
					this.submission, new Claims.Answer(request, System.nanoTime(), granted), granted));
		}
		assertThat(this.records.claim(request(this.submission, new Owner(8, 0), TestPolicy.LEASE)))
			.isEqualTo(new ClaimResult.Granted(2, true));
	}

	@Test
	void answersThatDoNotFitBecomeTombstones() {
		this.store.goDown();
		Outcome.Stored half = new Outcome.Stored(new byte[8 * MEGABYTE - 300]);
		this.leases.services().pending().add(end(1, half));
		this.leases.services().pending().add(end(2, half));
		this.leases.services().pending().add(end(3, TestGate.ANSWER));
		this.leases.services().pending().add(end(4, Outcome.TOMBSTONE));
		this.store.comeBack();
		this.leases.services().pending().flush();
		assertThat(met(1)).isEqualTo(half);
		assertThat(met(2)).isEqualTo(half);
		assertThat(met(3)).isEqualTo(Outcome.TOMBSTONE);
		assertThat(met(4)).isEqualTo(Outcome.TOMBSTONE);
		assertThat(told()).containsOnly(IdempotencyEvent.Type.COMPLETED).hasSize(4);
	}

	@Test
	void anAnswerThatDoesNotFitIsNotKept() {
		this.store.goDown();
		this.leases.services().pending().add(end(1, new Outcome.Stored(new byte[16 * MEGABYTE - 300])));
		Claim claim = keptBy(this.leases, submission("order 2"), TestPolicy.LEASE);
		WeakReference<Outcome> answer = completedLargely(claim);
		await().until(() -> {
			System.gc();
			return answer.get() == null;
		});
		assertThat(this.leases.running()).contains(claim);
	}

	/** Its receipt was committed with the answer. */
	@Test
	void anAnswerThatDoesNotFitIsNotKeptWithItsReceipt() {
		try (Claims receipted = new Claims(watched(this.store), OutcomeCache.NONE, new IdempotencyListeners(List.of()),
				new OperationReceipts(mock(Receipts.class), (event) -> {
				}), (operation) -> null)) {
			this.store.goDown();
			receipted.services().pending().add(end(1, new Outcome.Stored(new byte[16 * MEGABYTE - 300]), receipted));
			Submission other = submission("order 2");
			ClaimResult.Granted granted = new ClaimResult.Granted(1, false);
			Claim claim = receipted.open(TestPolicy.receipts(), other,
					new Claims.Answer(receipted.request(TestPolicy.receipts(), other), System.nanoTime(), granted),
					granted);
			WeakReference<Outcome> kept = committedLargely(claim);
			await().until(() -> {
				System.gc();
				return kept.get() == null;
			});
			assertThat(receipted.running()).contains(claim);
		}
	}

	private static WeakReference<Outcome> committedLargely(Claim claim) {
		Outcome answer = new Outcome.Stored(new byte[MEGABYTE]);
		claim.receipt().commitsWith(answer);
		claim.receipt().markCommitted(answer);
		claim.end(End.completed(answer));
		return new WeakReference<>(answer);
	}

	private static WeakReference<Outcome> completedLargely(Claim claim) {
		Outcome answer = new Outcome.Stored(new byte[MEGABYTE]);
		claim.end(End.completed(answer));
		return new WeakReference<>(answer);
	}

	@Test
	void aRecordedAnswerFreesItsSpace() {
		Outcome.Stored large = new Outcome.Stored(new byte[16 * MEGABYTE - 300]);
		for (int i = 1; i <= 3; i++) {
			this.leases.services().pending().add(end(i, large));
			this.leases.services().pending().flush();
			assertThat(met(i)).isEqualTo(large);
		}
	}

	@Test
	void writesBeyondTheBoundAreDropped() {
		AtomicInteger dropped = new AtomicInteger();
		Claims full = claims(this.store, new IdempotencyListeners(List.of((event) -> {
			if (event.type() == IdempotencyEvent.Type.WRITE_DROPPED) {
				dropped.incrementAndGet();
			}
		})));
		this.store.goDown();
		PendingWrite tombstone = end(1, Outcome.TOMBSTONE, full);
		int fitting = 2 * 16 * MEGABYTE / tombstone.size();
		for (int i = 0; i < fitting; i++) {
			full.services().pending().add(tombstone);
		}
		assertThat(dropped).hasValue(0);
		full.services().pending().add(tombstone);
		assertThat(dropped).hasValue(1);
		this.store.comeBack();
		full.close();
		assertThat(dropped).hasValue(1);
	}

	@Test
	void closingWithoutAStoreReportsDroppedWrites() {
		this.store.goDown();
		this.leases.services().pending().add(end(1, TestGate.ANSWER));
		this.leases.services().pending().add(end(2, TestGate.ANSWER));
		this.leases.close();
		assertThat(told()).containsExactly(IdempotencyEvent.Type.WRITE_DROPPED, IdempotencyEvent.Type.WRITE_DROPPED);
		this.leases.close();
		assertThat(told()).hasSize(2);
	}

	/**
	 * Runs no sweep by itself.
	 */
	private static final class Sweeps extends ScheduledThreadPoolExecutor {

		private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

		private final List<Future<?>> planned = new CopyOnWriteArrayList<>();

		private final List<Duration> delays = new CopyOnWriteArrayList<>();

		private Sweeps() {
			super(1);
		}

		@Override
		public ScheduledFuture<?> schedule(Runnable sweep, long delay, TimeUnit unit) {
			ScheduledFuture<?> future = super.schedule(() -> {
			}, 1, TimeUnit.HOURS);
			this.tasks.add(sweep);
			this.planned.add(future);
			this.delays.add(Duration.of(delay, unit.toChronoUnit()));
			return future;
		}

		Duration lastDelay() {
			return this.delays.get(this.delays.size() - 1);
		}

		void runLast() {
			this.tasks.get(this.tasks.size() - 1).run();
		}

	}

}
