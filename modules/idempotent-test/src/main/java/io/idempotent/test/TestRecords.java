package io.idempotent.test;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.test.RecordedOperation.State;
import org.jspecify.annotations.Nullable;

/**
 * The records of one test. A store cannot list its keys or read a record without a claim,
 * so the keys are collected here.
 */
final class TestRecords {

	private static final int MAX_RECORDS = 100_000;

	private static final Duration INSTANT = Duration.ofMillis(1);

	private final LocalIdempotencyStore store = new LocalIdempotencyStore(MAX_RECORDS);

	private final Map<OperationKey, ClaimId> claims = new LinkedHashMap<>();

	private final SecureRandom random = new SecureRandom();

	LocalIdempotencyStore store() {
		return this.store;
	}

	synchronized ClaimResult claim(ClaimRequest request) {
		ClaimResult result = this.store.claim(request);
		if (result instanceof ClaimResult.Granted granted) {
			this.claims.put(request.key(),
					new ClaimId(request.key(), request.owner(), request.fingerprint(), granted.attempt()));
		}
		return result;
	}

	synchronized Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		Ownership ownership = this.store.complete(claim, outcome, retention);
		if (ownership == Ownership.HELD) {
			this.claims.put(claim.key(), claim);
		}
		return ownership;
	}

	synchronized Ownership release(ClaimId claim, Release release) {
		Ownership ownership = this.store.release(claim, release);
		if (ownership == Ownership.HELD && release == Release.NO_EFFECT) {
			this.claims.remove(claim.key());
		}
		return ownership;
	}

	synchronized List<RecordedOperation> all(Function<OperationKey, String> operations) {
		List<RecordedOperation> all = new ArrayList<>();
		this.claims.values().forEach((claim) -> {
			State state = state(claim);
			if (state != null) {
				all.add(new RecordedOperation(operations.apply(claim.key()), claim.key(), state, claim.attempt()));
			}
		});
		return all;
	}

	/**
	 * Requests a claim that is never granted: the key was not issued, and an expired
	 * claim is left alone.
	 */
	private @Nullable State state(ClaimId claim) {
		ClaimResult result = this.store
			.claim(new ClaimRequest(claim.key(), Owner.draw(this.random), claim.fingerprint(), INSTANT, INSTANT,
					ClaimRequest.Admission.ISSUED, ClaimRequest.Lapsed.LEAVE, ClaimRequest.Term.LEASED, false));
		if (result instanceof ClaimResult.InProgress) {
			return State.IN_PROGRESS;
		}
		if (result instanceof ClaimResult.Unknown) {
			return State.UNKNOWN;
		}
		return (result instanceof ClaimResult.Completed) ? State.COMPLETED : null;
	}

}
