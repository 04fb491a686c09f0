package io.idempotent.contract.store;

import java.time.Duration;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.Outcome;

/**
 * What the tests of stores have in common.
 */
abstract class StoreTests {

	static final Duration SOON = IdempotencyStoreContract.SOON;

	static final Duration MOMENT = Duration.ofMillis(20);

	static final Outcome ANSWER = Outcome.stored(new byte[] { 0, 1, (byte) 0x80, (byte) 0xff, '\r', '\n', 0 });

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

}
