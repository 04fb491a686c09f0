package io.idempotent.contract.store;

import java.security.SecureRandom;
import java.time.Duration;

import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.Settlement;
import io.idempotent.store.Settlement.Kind;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What the tests of stores have in common. */
abstract class StoreTests {

	static final Duration SOON = IdempotencyStoreContract.SOON;

	static final Duration MOMENT = Duration.ofMillis(20);

	static final Outcome ANSWER = Outcome.stored(new byte[] { 0, 1, (byte) 0x80, (byte) 0xff, '\r', '\n', 0 });

	private static final SecureRandom RANDOM = new SecureRandom();

	private final IdempotencyStoreContract contract;

	StoreTests(IdempotencyStoreContract contract) {
		this.contract = contract;
	}

	final IdempotencyStore store() {
		return this.contract.store();
	}

	final void pass(Duration time) {
		this.contract.pass(time);
	}

	final void passBeyond(Duration time) {
		pass(time.plus(MOMENT));
	}

	final StoreSubmission submission() {
		return StoreSubmission.to(store());
	}

	/** A submission whose claim has lapsed. */
	final StoreSubmission lapsed() {
		return lapsed(submission());
	}

	final StoreSubmission lapsed(StoreSubmission submission) {
		StoreSubmission lapsed = submission.keeping(SOON, StoreSubmission.RETENTION);
		lapsed.granted();
		passBeyond(SOON);
		return lapsed;
	}

	/** A submission that was released with an unknown outcome. */
	final StoreSubmission unknown() {
		StoreSubmission submission = submission();
		submission.release(submission.granted(), Release.UNKNOWN);
		return submission;
	}

	final StoreSubmission completed(StoreSubmission submission) {
		submission.complete(submission.granted(), ANSWER);
		return submission;
	}

	/** The store as operators use it; the test is skipped where they cannot. */
	final RecordAdministration records() {
		assumeTrue(store() instanceof RecordAdministration, "The store is no RecordAdministration");
		return (RecordAdministration) store();
	}

	final SettlementResult settle(ClaimId claim, Kind kind, boolean force) {
		return records()
			.settle(new Settlement(claim.key(), claim.owner(), claim.attempt(), kind, force, Owner.draw(RANDOM)));
	}

}
