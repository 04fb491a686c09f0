package io.idempotent.submission;

import java.time.Duration;
import java.util.List;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.support.Digest;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of a few words about one key gives answers that some order of the
 * same words gives too. Time stands still: a lease lapses by being given up.
 */
@Tag("slow")
@Param(name = "owner", gen = IntGen.class, conf = "1:2")
public class LincheckLocalStoreTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration RETENTION = Duration.ofMinutes(1);

	private static final Fingerprint FINGERPRINT = new Fingerprint(Digest.sha256().add("content").build());

	private static final OperationKey KEY = OperationKey.of("test", "operation", List.of(), "key");

	/**
	 * Far from full: at its bound a store may refuse a record that would just have
	 * fitted, while another thread is about to take or leave the last place.
	 */
	private final LocalIdempotencyStore store = new LocalIdempotencyStore(1_000, () -> 0);

	private static ClaimId claimOf(int owner) {
		return new ClaimId(KEY, new Owner(0, owner), FINGERPRINT, 1, null);
	}

	@Operation
	public void issue() {
		this.store.issue(KEY, RETENTION);
	}

	@Operation
	public String claim(@Param(name = "owner") int owner) {
		return this.store
			.claim(new ClaimRequest(KEY, new Owner(0, owner), FINGERPRINT, LEASE, RETENTION, Admission.OPEN,
					Lapsed.TAKE_OVER, Term.LEASED, false))
			.toString();
	}

	@Operation
	public Ownership renew(@Param(name = "owner") int owner) {
		return this.store.renew(claimOf(owner), LEASE);
	}

	@Operation
	public Ownership complete(@Param(name = "owner") int owner) {
		return this.store.complete(claimOf(owner), Outcome.TOMBSTONE, RETENTION);
	}

	@Operation
	public Ownership release(@Param(name = "owner") int owner) {
		return this.store.release(claimOf(owner), Release.NO_EFFECT);
	}

	@Operation
	public Ownership giveUp(@Param(name = "owner") int owner) {
		return this.store.release(claimOf(owner), Release.UNKNOWN);
	}

	@Test
	void everyInterleavingIsLinearizable() {
		new ModelCheckingOptions().threads(2)
			.actorsPerThread(2)
			.actorsBefore(1)
			.actorsAfter(1)
			.iterations(50)
			.invocationsPerIteration(100)
			.check(LincheckLocalStoreTests.class);
	}

}
