package io.idempotent.contract.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One submission that a test sends to a store: a request, varied one property at a time.
 */
public record StoreSubmission(IdempotencyStore store, ClaimRequest request) {

	private static final SecureRandom RANDOM = new SecureRandom();

	/** Long enough never to lapse in a test. */
	public static final Duration LEASE = Duration.ofSeconds(30);

	public static final Duration RETENTION = Duration.ofMinutes(10);

	/** The first submission of a new operation. */
	public static StoreSubmission to(IdempotencyStore store) {
		return of(store, OperationKey.of("test", "operation", List.of(), UUID.randomUUID().toString()));
	}

	public static StoreSubmission of(IdempotencyStore store, OperationKey key) {
		return new StoreSubmission(store, new ClaimRequest(key, Owner.draw(RANDOM), fingerprint("content"), LEASE,
				RETENTION, Admission.OPEN, Lapsed.TAKE_OVER, Term.LEASED, false));
	}

	private static Fingerprint fingerprint(String content) {
		return new Fingerprint(Digest.sha256().add(content).build());
	}

	/** The same operation, submitted again by another owner. */
	public StoreSubmission again() {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), Owner.draw(RANDOM), r.fingerprint(), r.lease(), r.retention(),
				r.admission(), r.lapsed(), r.term(), r.listening(), r.caching(), r.origin()));
	}

	public StoreSubmission asking(String content) {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), r.owner(), fingerprint(content), r.lease(), r.retention(), r.admission(),
				r.lapsed(), r.term(), r.listening(), r.caching(), r.origin()));
	}

	public StoreSubmission keeping(Duration lease, Duration retention) {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), r.owner(), r.fingerprint(), lease, retention, r.admission(), r.lapsed(),
				r.term(), r.listening(), r.caching(), r.origin()));
	}

	public StoreSubmission ifIssued() {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), r.owner(), r.fingerprint(), r.lease(), r.retention(), Admission.ISSUED,
				r.lapsed(), r.term(), r.listening(), r.caching(), r.origin()));
	}

	public StoreSubmission leavingLapsed() {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), r.owner(), r.fingerprint(), r.lease(), r.retention(), r.admission(),
				Lapsed.LEAVE, r.term(), r.listening(), r.caching(), r.origin()));
	}

	public StoreSubmission burning() {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), r.owner(), r.fingerprint(), r.lease(), r.retention(), r.admission(),
				r.lapsed(), Term.BURNT, r.listening(), r.caching(), r.origin()));
	}

	public StoreSubmission listening() {
		return with(this.request.whileListening());
	}

	public StoreSubmission caching() {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), r.owner(), r.fingerprint(), r.lease(), r.retention(), r.admission(),
				r.lapsed(), r.term(), r.listening(), true, r.origin()));
	}

	public StoreSubmission from(@Nullable Origin origin) {
		ClaimRequest r = this.request;
		return with(new ClaimRequest(r.key(), r.owner(), r.fingerprint(), r.lease(), r.retention(), r.admission(),
				r.lapsed(), r.term(), r.listening(), r.caching(), origin));
	}

	private StoreSubmission with(ClaimRequest varied) {
		return new StoreSubmission(this.store, varied);
	}

	public OperationKey key() {
		return this.request.key();
	}

	public StoreSubmission issued(Duration timeToLive) {
		this.store.issue(key(), timeToLive);
		return this;
	}

	public ClaimResult claim() {
		return this.store.claim(this.request);
	}

	/** Claims, insists that it is granted, and returns the claim. */
	public ClaimId granted() {
		ClaimResult result = claim();
		assertThat(result).isInstanceOf(ClaimResult.Granted.class);
		return claimId(((ClaimResult.Granted) result).attempt());
	}

	public ClaimId claimId(int attempt) {
		return this.request.claimId(attempt);
	}

	public Ownership complete(ClaimId claim, Outcome outcome) {
		return this.store.complete(claim, outcome, RETENTION);
	}

	public Ownership release(ClaimId claim, Release release) {
		return this.store.release(claim, release);
	}

}
