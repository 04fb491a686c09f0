package io.idempotent.submission.claim;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.FaultyStore.Call;
import io.idempotent.submission.FaultyStore.Fault;
import io.idempotent.submission.TestGate;
import io.idempotent.submission.TestPolicy;
import io.idempotent.submission.event.IdempotencyListeners;
import io.idempotent.submission.receipt.OperationReceipts;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static io.idempotent.submission.TestGate.complete;
import static io.idempotent.submission.TestGate.refused;
import static io.idempotent.submission.TestGate.replayed;
import static io.idempotent.submission.TestGate.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * How a claim is renewed and ended.
 */
class ClaimTests {

	private static final long LEASE = TestPolicy.LEASE.toNanos();

	static final List<Way> ENDS = List.of(new Way("complete", TestGate::complete),
			new Way("release", (each) -> each.end(End.RELEASED)), new Way("abandon", (each) -> each.end(End.UNKNOWN)),
			new Way("fall silent", (each) -> each.end(End.UNOBSERVED)));

	@AutoClose
	private final TestGate gate = TestGate.opened();

	private final Submission submission = submission("order 1");

	private final List<IdempotencyEvent.Type> told = new CopyOnWriteArrayList<>();

	private final IdempotencyListeners listeners = new IdempotencyListeners(
			List.of((event) -> this.told.add(event.type())));

	@AutoClose
	private final Claims leases = new Claims(ClaimsTests.watched(this.gate.store()), OutcomeCache.NONE, this.listeners,
			new OperationReceipts(null, (event) -> {
			}), (operation) -> null);

	/** A claim whose time is in the hands of the test, which no sweeper renews. */
	private Claim claimedAt(long nanoTime) {
		return claimedAt(nanoTime, ClaimRequest.Term.LEASED, this.leases);
	}

	private Claim claimedAt(long nanoTime, ClaimRequest.Term term, Claims leases) {
		ClaimRequest request = new ClaimRequest(this.submission.key(), new Owner(1, 2), this.submission.fingerprint(),
				TestPolicy.LEASE, TestPolicy.RETENTION, ClaimRequest.Admission.OPEN, ClaimRequest.Lapsed.TAKE_OVER,
				term, false);
		this.gate.records().claim(request);
		ClaimId id = request.claimId(1);
		return new Claim(id, TestPolicy.DEFAULT, request, request.retention(), nanoTime, leases);
	}

	// Renewal

	@Test
	void nothingIsRenewedBeforeAThirdOfTheLeaseHasPassed() {
		Claim claim = claimedAt(1_000);
		claim.renewIfDue(1_000 + LEASE / 3 - 1);
		assertThat(this.gate.store().calls()).isEmpty();
		claim.renewIfDue(1_000 + LEASE / 3);
		assertThat(this.gate.store().calls()).containsExactly(Call.RENEW);
	}

	@Test
	void aRenewalIsDueAgainAThirdAfterTheLastOne() {
		Claim claim = claimedAt(1_000);
		long renewed = 1_000 + LEASE / 2;
		claim.renewIfDue(renewed);
		claim.renewIfDue(renewed + LEASE / 3 - 1);
		assertThat(this.gate.store().calls()).containsExactly(Call.RENEW);
		claim.renewIfDue(renewed + LEASE / 3);
		assertThat(this.gate.store().calls()).containsExactly(Call.RENEW, Call.RENEW);
	}

	@Test
	void aRenewedClaimOutlivesItsFirstLease() {
		Claim claim = claimedAt(0);
		this.gate.pass(TestPolicy.LEASE.dividedBy(2));
		claim.renewIfDue(LEASE / 2);
		this.gate.pass(TestPolicy.LEASE.minusNanos(1));
		assertThat(this.gate.enter(this.submission)).isEqualTo(refused(Refusal.IN_PROGRESS));
		this.gate.pass(Duration.ofNanos(1));
		assertThat(this.gate.enter(TestPolicy.with(WhenUnknown.REJECT), this.submission))
			.isEqualTo(refused(Refusal.OUTCOME_UNKNOWN));
	}

	@Test
	void aLateReplyShortensNoLease() {
		long now = System.nanoTime();
		Claim claim = claimedAt(now - 3 * LEASE);
		this.gate.store().next(Call.RENEW, Fault.NONE.andAfter(() -> claim.renewIfDue(now)));
		claim.renewIfDue(now - 2 * LEASE);
		assertThat(this.gate.store().calls()).containsExactly(Call.RENEW, Call.RENEW);
		assertThat(claim.isLost()).isFalse();
	}

	@Test
	void anUnreadableRecordConfirmsNoLease() {
		Claim claim = claimedAt(System.nanoTime() - 2 * LEASE);
		this.gate.store().next(Call.RENEW, Fault.UNREADABLE);
		assertThat(claim.renewOrRefuse()).isEqualTo(Refusal.STORE_UNAVAILABLE);
		assertThat(claim.renewOrRefuse()).isNull();
	}

	@Test
	void aRenewalThatFailsIsRepeatedAtTheNextSweep() {
		Claim claim = claimedAt(0);
		this.gate.store().next(Call.RENEW, Fault.UNREACHABLE);
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> claim.renewIfDue(LEASE / 3));
		claim.renewIfDue(LEASE / 3 + 1);
		assertThat(this.gate.store().calls()).containsExactly(Call.RENEW, Call.RENEW);
		assertThat(this.told).isEmpty();
	}

	@Test
	void aClaimIsLostOnceNoRenewalGotThroughForALease() {
		assertThat(claimedAt(System.nanoTime() - LEASE - 1).isLost()).isTrue();
		Claim young = claimedAt(System.nanoTime() - LEASE / 2);
		assertThat(young.isLost()).isFalse();
		Claim late = claimedAt(System.nanoTime() - 2 * LEASE);
		late.renewIfDue(System.nanoTime());
		assertThat(late.isLost()).as("nobody took over before the renewal got through").isFalse();
	}

	@Test
	void aBurntClaimIsNotLostByTime() {
		Claim claim = claimedAt(System.nanoTime() - 2 * LEASE, ClaimRequest.Term.BURNT, this.leases);
		assertThat(claim.isLost()).isFalse();
		assertThat(claim.isLeased()).isFalse();
	}

	@Test
	void aRenewalReportsAnotherOwnerOnce() {
		Claim claim = claimedAt(System.nanoTime());
		this.gate.pass(TestPolicy.LEASE);
		this.gate.run(this.submission);
		assertThat(claim.isLost()).isFalse();
		claim.renewIfDue(System.nanoTime() + LEASE);
		assertThat(claim.isLost()).isTrue();
		claim.renewIfDue(System.nanoTime() + 2 * LEASE);
		complete(claim);
		assertThat(this.told).containsExactly(IdempotencyEvent.Type.CLAIM_LOST);
		assertThat(this.gate.store().count(Call.RENEW)).isEqualTo(1);
	}

	@Test
	void aClaimThatEndsDuringItsRenewalIsNotLost() {
		Claim claim = claimedAt(0);
		this.gate.store().next(Call.RENEW, Fault.before(() -> complete(claim)));
		claim.renewIfDue(LEASE);
		assertThat(this.told).containsExactly(IdempotencyEvent.Type.COMPLETED);
	}

	@ParameterizedTest
	@FieldSource("ENDS")
	void aClaimWhoseEndIsRecordedIsNotRenewed(Way end) {
		Claim claim = this.gate.run(this.submission);
		assertThat(this.gate.gate().runningKeys()).containsExactly(claim.key());
		end.end(claim);
		assertThat(this.gate.gate().runningKeys()).isEmpty();
	}

	@Test
	void anEndedClaimIsNotRevived() {
		Claim claim = claimedAt(System.nanoTime() - 2 * LEASE);
		claim.end(End.UNOBSERVED);
		assertThat(claim.renewOrRefuse()).isEqualTo(Refusal.STORE_UNAVAILABLE);
		assertThat(this.gate.store().calls()).isEmpty();
	}

	@Test
	void aClaimWhoseEndCannotWaitToBeWrittenIsNotRenewed() {
		this.gate.store().next(Call.COMPLETE, Fault.before(() -> {
			throw new UnprintableException();
		}));
		Claim claim = this.gate.run(this.submission);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> complete(claim));
		assertThat(this.gate.gate().runningKeys()).isEmpty();
	}

	// Ends

	@ParameterizedTest
	@FieldSource("ENDS")
	void onlyTheFirstEndOfAClaimTakesEffect(Way first) {
		for (WhenCompleted whenCompleted : List.of(WhenCompleted.REPLAY, WhenCompleted.BURN)) {
			Claim claim = this.gate.run(TestPolicy.with(whenCompleted), submission(whenCompleted.name()));
			first.end(claim);
			List<Call> calls = this.gate.store().calls();
			List<IdempotencyEvent.Type> events = this.gate.told();
			ENDS.forEach((end) -> end.end(claim));
			assertThat(this.gate.store().calls()).isEqualTo(calls);
			assertThat(this.gate.told()).isEqualTo(events);
		}
	}

	@Test
	void onlyOneOfConcurrentEndsTakesEffect() throws InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			Claim claim = this.gate.run(this.submission);
			CountDownLatch start = new CountDownLatch(1);
			for (int i = 0; i < 8; i++) {
				threads.execute(() -> {
					awaitUninterruptibly(start);
					complete(claim);
				});
			}
			start.countDown();
			threads.shutdown();
			assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
			assertThat(this.gate.store().count(Call.COMPLETE)).isEqualTo(1);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void anAnswerThatIsReplayedCostsTwoCalls() {
		complete(this.gate.run(this.submission));
		assertThat(this.gate.store().calls()).containsExactly(Call.CLAIM, Call.COMPLETE);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.COMPLETED);
	}

	static final List<Way> SPOKEN = ENDS.subList(0, 3);

	@ParameterizedTest
	@FieldSource("SPOKEN")
	void anEndTheStoreCannotRecordIsRetriedWithoutAnException(Way end) {
		IdempotencyEvent.Type type = Stream
			.of(IdempotencyEvent.Type.COMPLETED, IdempotencyEvent.Type.RELEASED, IdempotencyEvent.Type.LEFT_UNKNOWN)
			.skip(SPOKEN.indexOf(end))
			.findFirst()
			.orElseThrow();
		Claim claim = this.gate.run(this.submission);
		this.gate.store().goDown();
		end.end(claim);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED,
				IdempotencyEvent.Type.WRITE_DELAYED);
		this.gate.store().comeBack();
		this.gate.gate().flush();
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.WRITE_DELAYED,
				type);
	}

	@Test
	void anAnswerWhoseReplyWasLostIsRecordedOnce() {
		this.gate.store().next(Call.COMPLETE, Fault.REPLY_LOST);
		complete(this.gate.run(this.submission));
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(1));
		this.gate.gate().flush();
		this.gate.gate().flush();
		assertThat(this.gate.store().count(Call.COMPLETE)).isEqualTo(2);
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.WRITE_DELAYED,
				IdempotencyEvent.Type.REPLAYED, IdempotencyEvent.Type.COMPLETED);
	}

	@ParameterizedTest
	@FieldSource("SPOKEN")
	void anEndWhoseReplyWasLostIsNotReportedAsLost(Way end) {
		this.gate.store().next(Call.COMPLETE, Fault.REPLY_LOST).next(Call.RELEASE, Fault.REPLY_LOST);
		Claim claim = this.gate.run(this.submission);
		end.end(claim);
		assertThat(this.gate.gate().runningKeys()).containsExactly(claim.key());
		claim.renewIfDue(System.nanoTime() + LEASE);
		assertThat(this.gate.gate().runningKeys()).isEmpty();
		this.gate.gate().flush();
		assertThat(this.gate.told()).doesNotContain(IdempotencyEvent.Type.CLAIM_LOST).hasSize(3);
	}

	@Test
	void anEndThatComesTooLateReportsTheLoss() {
		Claim claim = this.gate.run(this.submission);
		this.gate.store().goDown();
		complete(claim);
		this.gate.store().comeBack();
		this.gate.pass(TestPolicy.LEASE);
		Claim successor = this.gate.run(this.submission);
		this.gate.gate().flush();
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.WRITE_DELAYED,
				IdempotencyEvent.Type.RERUN, IdempotencyEvent.Type.CLAIM_LOST);
		complete(successor);
		assertThat(this.gate.enter(this.submission)).isEqualTo(replayed(2));
	}

	@Test
	void anEndIsRecordedOnAnInterruptedThread() {
		this.gate.store()
			.next(Call.COMPLETE, Fault.before(() -> assertThat(Thread.currentThread().isInterrupted()).isFalse()));
		Claim claim = this.gate.run(this.submission);
		Thread.currentThread().interrupt();
		complete(claim);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED, IdempotencyEvent.Type.COMPLETED);
	}

	@Test
	void anEndThatCanNeverBeRecordedIsDroppedWithoutAnException() {
		this.gate.store().next(Call.COMPLETE, Fault.UNREADABLE);
		complete(this.gate.run(this.submission));
		this.gate.gate().flush();
		assertThat(this.gate.told()).containsExactly(IdempotencyEvent.Type.GRANTED,
				IdempotencyEvent.Type.WRITE_DROPPED);
		assertThat(this.gate.store().count(Call.COMPLETE)).isEqualTo(1);
		assertThat(this.gate.gate().runningKeys()).isEmpty();
	}

	@Test
	void anEndTheStoreFailsOnIsRetriedWithoutAnException() {
		List<Fault> defects = List.of(Fault.before(() -> {
			throw new IllegalStateException("a defect");
		}), Fault.before(() -> {
			throw new NoClassDefFoundError("a driver of another version");
		}), Fault.before(() -> Fault.sneak(new IOException("of a store in Kotlin"))));
		for (Fault defect : defects) {
			for (Way end : SPOKEN) {
				try (TestGate defective = TestGate.opened()) {
					defective.store().next(Call.COMPLETE, defect).next(Call.RELEASE, defect);
					end.end(defective.run(this.submission));
					assertThat(defective.told()).containsExactly(IdempotencyEvent.Type.GRANTED,
							IdempotencyEvent.Type.WRITE_DELAYED);
					defective.gate().flush();
					assertThat(defective.told()).hasSize(3)
						.last()
						.isIn(IdempotencyEvent.Type.COMPLETED, IdempotencyEvent.Type.RELEASED,
								IdempotencyEvent.Type.LEFT_UNKNOWN);
				}
			}
		}
	}

	@Test
	void aClaimThatOutlivesItsGateStillRecordsItsEnd() {
		Claim first = this.gate.run(this.submission);
		Claim second = this.gate.run(submission("order 2"));
		this.gate.close();
		this.gate.store().next(Call.COMPLETE, Fault.UNREACHABLE);
		complete(first);
		assertThat(this.gate.told()).endsWith(IdempotencyEvent.Type.WRITE_DELAYED, IdempotencyEvent.Type.COMPLETED);
		this.gate.store().goDown();
		complete(second);
		assertThat(this.gate.told()).endsWith(IdempotencyEvent.Type.WRITE_DELAYED, IdempotencyEvent.Type.WRITE_DROPPED);
	}

	@SuppressWarnings("serial") // is not serialized
	private static final class UnprintableException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new OutOfMemoryError("no memory to log it");
		}

	}

	record Way(String name, Consumer<Claim> how) {

		void end(Claim claim) {
			this.how.accept(claim);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
