package io.idempotent.benchmarks.replay;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.RecordEncryption;
import io.idempotent.submission.Decision;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.Digest;

/**
 * The library's way: claim and complete, or replay.
 */
final class GatedReplay implements ReplayWay, AutoCloseable {

	private static final Fingerprint FINGERPRINT = new Fingerprint(Digest.sha256().add("an order").build());

	private static final Duration LONGEST_LEASE = Duration.ofSeconds(30);

	private final OperationPolicy policy;

	private final IdempotencyGate gate;

	GatedReplay(IdempotencyStore store, OutcomeCache cache, Duration retention) {
		this(store, cache, retention, RecordEncryption.NONE);
	}

	GatedReplay(IdempotencyStore store, OutcomeCache cache, Duration retention, RecordEncryption encryption) {
		Duration lease = (retention.compareTo(LONGEST_LEASE) < 0) ? retention : LONGEST_LEASE;
		this.policy = new OperationPolicy("order", lease, retention, Duration.ofSeconds(20), WhenCompleted.REPLAY,
				WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
		this.gate = new IdempotencyGate.Builder(store).outcomeCache(cache).encryption(encryption).build();
	}

	@Override
	public void first(String key) {
		if (!(enter(key) instanceof Decision.Run run)) {
			throw new IllegalStateException("Not run");
		}
		run.claim().end(End.completed(Outcome.stored(ReplayArea.ANSWER)));
	}

	@Override
	public void duplicate(String key) {
		if (!(enter(key) instanceof Decision.Replay replay
				&& Arrays.equals(replay.answer().answer(), ReplayArea.ANSWER))) {
			throw new IllegalStateException("Not replayed");
		}
	}

	private Decision enter(String key) {
		OperationKey operation = OperationKey.of("shop", "order", List.of("header", "somebody", "POST", "/orders"),
				key);
		return this.gate
			.enter(Entrance.METHOD, new SubmissionContext(this.policy),
					new Submission(operation, key, FINGERPRINT, Admission.OPEN, Duration.ZERO), (answer) -> false)
			.decision();
	}

	@Override
	public void close() {
		this.gate.close();
	}

}
