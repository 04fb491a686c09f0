package io.idempotent.benchmarks.token;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.benchmarks.server.RedisServer;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.submission.Decision;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.Digest;

/**
 * The library's way: what it does with a token between HTTP and Redis. A stored token is
 * in Redis from the beginning, a signed one from its use on; the signature itself is
 * checked without Redis and is not part of this.
 */
final class BurntToken implements TokenWay, AutoCloseable {

	private static final OperationPolicy POLICY = new OperationPolicy("order", Duration.ofSeconds(30), TokenArea.LIFE,
			Duration.ofSeconds(20), WhenCompleted.BURN, WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE,
			WhenStoreFails.REJECT, false, false, "");

	private static final Fingerprint FINGERPRINT = new Fingerprint(Digest.sha256().add("an order").build());

	private final RedisIdempotencyStore store;

	private final IdempotencyGate gate;

	private final Admission admission;

	private BurntToken(RedisServer redis, Admission admission) {
		this.store = new RedisIdempotencyStore(redis.connections(), "idem:", Duration.ofSeconds(2));
		this.gate = new IdempotencyGate.Builder(this.store).build();
		this.admission = admission;
	}

	static BurntToken stored(RedisServer redis) {
		return new BurntToken(redis, Admission.ISSUED);
	}

	static BurntToken signed(RedisServer redis) {
		return new BurntToken(redis, Admission.OPEN);
	}

	@Override
	public String issue() {
		String token = UUID.randomUUID().toString();
		if (this.admission == Admission.ISSUED) {
			this.gate.issue(key(token), TokenArea.LIFE);
		}
		return token;
	}

	@Override
	public void check(String token) {
		Decision decision = this.gate
			.enter(Entrance.METHOD, new SubmissionContext(POLICY),
					new Submission(key(token), token, FINGERPRINT, this.admission, Duration.ZERO), (answer) -> false)
			.decision();
		if (!(decision instanceof Decision.Run run)) {
			throw new IllegalStateException("Refused: " + decision);
		}
		run.claim().end(End.completed(Outcome.TOMBSTONE));
	}

	private static OperationKey key(String token) {
		return OperationKey.of("shop", "order", List.of("token", "somebody"), token);
	}

	@Override
	public void close() {
		this.gate.close();
		this.store.close();
	}

}
