package io.idempotent.jdbc.receipt;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.submission.receipt.Receipts.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * Takes the receipts for records, see {@link ReceiptGuard#store()}. Claims are in the
 * memory of this JVM.
 */
final class ReceiptIdempotencyStore implements IdempotencyStore {

	private static final int FEWEST_CLAIMS_BEFORE_SWEEP = 128;

	private final ReceiptTable table;

	private final Duration retention;

	/** As many as the last sweep left, so that each costs constant time. */
	private final AtomicInteger claimsUntilSweep = new AtomicInteger(FEWEST_CLAIMS_BEFORE_SWEEP);

	private final ConcurrentMap<OperationKey, LocalClaim> claims = new ConcurrentHashMap<>();

	ReceiptIdempotencyStore(ReceiptTable table, Duration retention) {
		this.table = table;
		this.retention = retention;
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		throw new UnsupportedOperationException("Receipts cannot issue tokens: use the key source HEADER or CONTENT, "
				+ "or choose another store with idempotent.store.type");
	}

	/** The table does, for receipts whose transaction is that of the operation too. */
	@Override
	public boolean encrypts() {
		return true;
	}

	@Override
	public void check(OperationKey unused, Duration timeToLive) {
		this.table.check();
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		if (request.term() != Term.LEASED) {
			throw new UnsupportedOperationException("Receipts cannot burn keys: " + request);
		}
		if (request.admission() != Admission.OPEN) {
			return (find(request.key(), request.owner()) != null) ? new ClaimResult.Granted(1, false)
					: new ClaimResult.NotIssued();
		}
		sweep();
		LocalClaim own = new LocalClaim(request);
		LocalClaim other = this.claims.compute(request.key(),
				(key, current) -> (current == null || current.isLapsed() || current.isOf(own.owner)) ? own : current);
		return (other == own) ? claimInTable(request) : other.answer(request);
	}

	/** The end of a run that could not be observed reaches no store. */
	private void sweep() {
		if (this.claimsUntilSweep.decrementAndGet() <= 0) {
			this.claims.values().removeIf(LocalClaim::isAbandoned);
			this.claimsUntilSweep.set(Math.max(FEWEST_CLAIMS_BEFORE_SWEEP, this.claims.size()));
		}
	}

	private ClaimResult claimInTable(ClaimRequest request) {
		boolean granted = false;
		try {
			Receipt receipt = this.table.find(request.key()).orElse(null);
			granted = receipt == null;
			return (receipt != null) ? completed(receipt, request) : new ClaimResult.Granted(1, false);
		}
		finally {
			if (!granted) {
				forget(request.key(), request.owner());
			}
		}
	}

	/** What has no answer yet may get one, or may be withdrawn: it is not cached. */
	private ClaimResult completed(Receipt receipt, ClaimRequest request) {
		Fingerprint recorded = receipt.fingerprint();
		if (recorded != null && !recorded.equals(request.fingerprint())) {
			return new ClaimResult.KeyReused(recorded);
		}
		Duration left = this.retention.minus(receipt.age());
		boolean keeps = receipt.outcome() instanceof Outcome.Stored && !left.isNegative();
		return new ClaimResult.Completed(receipt.outcome(), receipt.attempt(), keeps ? left : Duration.ZERO, null);
	}

	/** No other node knows of the claim. */
	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		LocalClaim own = find(claim.key(), claim.owner());
		if (own == null) {
			return Ownership.LOST;
		}
		own.renew(lease);
		return Ownership.HELD;
	}

	/**
	 * No statement if the outcome was committed together with the effect, or if another
	 * attempt has taken effect, which has a receipt of its own.
	 */
	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration ignored) {
		LocalClaim own = find(claim.key(), claim.owner());
		boolean held = (own != null && own.refused) || record(claim, outcome, (own != null) ? own.committed : null);
		forget(claim.key(), claim.owner());
		return held ? Ownership.HELD : Ownership.LOST;
	}

	private boolean record(ClaimId claim, Outcome outcome, @Nullable Outcome committed) {
		return outcome.equals(committed) || (committed != null && this.table.addOutcomeInOwnTransaction(claim, outcome))
				|| this.table.record(claim, outcome);
	}

	/** However it ended: the next submission finds a receipt or none. */
	@Override
	public Ownership release(ClaimId claim, Release release) {
		return forget(claim.key(), claim.owner()) ? Ownership.HELD : Ownership.LOST;
	}

	/** A transaction of the attempt has committed its receipt, with this outcome. */
	void committed(ClaimId claim, Outcome outcome) {
		LocalClaim own = find(claim.key(), claim.owner());
		if (own != null) {
			own.committed = outcome;
		}
	}

	/** A transaction of the attempt was rolled back for the receipt of another one. */
	void refused(ClaimId claim) {
		LocalClaim own = find(claim.key(), claim.owner());
		if (own != null) {
			own.refused = true;
		}
	}

	private @Nullable LocalClaim find(OperationKey key, Owner owner) {
		LocalClaim current = this.claims.get(key);
		return (current != null && current.isOf(owner)) ? current : null;
	}

	private boolean forget(OperationKey key, Owner owner) {
		LocalClaim current = find(key, owner);
		return current != null && this.claims.remove(key, current);
	}

	private static final class LocalClaim {

		private final Owner owner;

		private final Fingerprint fingerprint;

		private volatile long endsAt;

		private volatile long abandonedAt;

		/** Stored with the receipt; {@code null} until that is committed. */
		private volatile @Nullable Outcome committed;

		private volatile boolean refused;

		LocalClaim(ClaimRequest request) {
			this.owner = request.owner();
			this.fingerprint = request.fingerprint();
			renew(request.lease());
		}

		void renew(Duration lease) {
			long end = System.nanoTime() + lease.toNanos();
			this.abandonedAt = end + lease.toNanos();
			this.endsAt = end;
		}

		boolean isOf(Owner claimant) {
			return this.owner.equals(claimant);
		}

		boolean isLapsed() {
			return this.endsAt - System.nanoTime() <= 0;
		}

		/** Later than lapsed: a JVM that stood still renews its claims late. */
		boolean isAbandoned() {
			return this.abandonedAt - System.nanoTime() <= 0;
		}

		ClaimResult answer(ClaimRequest request) {
			return this.fingerprint.equals(request.fingerprint())
					? new ClaimResult.InProgress(Duration.ofNanos(Math.max(0, this.endsAt - System.nanoTime())))
					: new ClaimResult.KeyReused(this.fingerprint);
		}

	}

}
