package io.idempotent.store.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;
import io.idempotent.store.Waiters;
import io.idempotent.store.WakeUps;
import io.idempotent.store.local.LocalRecord.Claimed;
import io.idempotent.store.local.LocalRecord.Finished;
import io.idempotent.store.local.LocalRecord.Issued;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of one JVM in its memory: for tests, and for tools that run as a
 * single node. They do not survive a restart. Waiters are woken on the thread that ends
 * the claim.
 *
 * <p>
 * One lock guards all records, held for one step in memory, or for a pass over them if
 * the store is full or an operator searches it. Time is {@link System#nanoTime()}. The
 * number of records is bounded, their bytes are not. A full store removes the oldest
 * unused tokens, which are unknown from then on. No other live record is removed, because
 * an operation could run twice: new ones are refused with
 * {@link io.idempotent.store.StoreUnavailableException}.
 */
public class LocalIdempotencyStore implements IdempotencyStore, RecordAdministration, WakeUps {

	/** Longer than any JVM runs, and still a long in nanoseconds. */
	private static final long FOREVER = TimeUnit.DAYS.toNanos(100 * 365);

	private final LocalRecords records;

	private final Waiters waiters = new Waiters();

	private final LongSupplier nanoTime;

	private final long origin;

	public LocalIdempotencyStore(int maxRecords) {
		this(maxRecords, System::nanoTime);
	}

	/** For tests. The clock must never go back. */
	public LocalIdempotencyStore(int maxRecords, LongSupplier nanoTime) {
		this.records = new LocalRecords(maxRecords);
		this.nanoTime = nanoTime;
		this.origin = nanoTime.getAsLong();
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		apply(key, (found, now) -> new Step<>(found == null,
				(found != null) ? found : new Issued(0, now + nanos(timeToLive))));
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		return apply(request.key(), (found, now) -> {
			if (found == null) {
				return claim(request, now);
			}
			if (found instanceof Issued issued) {
				return grant(request, issued.attempts() + 1, false, issued.expiry(), now);
			}
			if (found instanceof Claimed claimed) {
				return claim(request, claimed, now);
			}
			return claim(request, (Finished) found, now);
		});
	}

	private static Step<ClaimResult> claim(ClaimRequest request, long now) {
		return (request.admission() == Admission.ISSUED) ? new Step<>(new ClaimResult.NotIssued(), null)
				: grant(request, 1, false, Claimed.NO_TOKEN, now);
	}

	private static Step<ClaimResult> claim(ClaimRequest request, Claimed found, long now) {
		if (!found.fingerprint().equals(request.fingerprint())) {
			return new Step<>(new ClaimResult.KeyReused(found.fingerprint()), found);
		}
		if (found.owner().equals(request.owner()) && !found.isGivenUp()) {
			return grant(request, found.attempt(), found.tookOver(), found.tokenEnd(), now);
		}
		if (found.isBurnt()) {
			return new Step<>(completed(Outcome.TOMBSTONE, found.attempt(), found.expiry() - now, found.origin()),
					found);
		}
		if (found.leaseEnd() > now) {
			return new Step<>(new ClaimResult.InProgress(Duration.ofNanos(found.leaseEnd() - now)), found);
		}
		if (request.lapsed() == Lapsed.LEAVE) {
			return new Step<>(new ClaimResult.Unknown(), found);
		}
		return grant(request, found.attempt() + 1, true, found.tokenEnd(), now);
	}

	private static Step<ClaimResult> grant(ClaimRequest request, int attempt, boolean tookOver, long tokenEnd,
			long now) {
		long leaseEnd = (request.term() == Term.BURNT) ? Claimed.BURNT : now + nanos(request.lease());
		long retention = nanos(request.retention());
		return new Step<>(new ClaimResult.Granted(attempt, tookOver),
				new Claimed(request.owner(), request.fingerprint(), attempt, tookOver, leaseEnd, tokenEnd, retention,
						now + retention, request.origin()));
	}

	private static Step<ClaimResult> claim(ClaimRequest request, Finished found, long now) {
		return new Step<>(found.fingerprint().equals(request.fingerprint())
				? completed(found.outcome(), found.attempt(), found.expiry() - now, found.origin())
				: new ClaimResult.KeyReused(found.fingerprint()), found);
	}

	private static ClaimResult completed(Outcome outcome, int attempt, long retentionLeft, @Nullable Origin origin) {
		return new ClaimResult.Completed(outcome, attempt, Duration.ofNanos(retentionLeft), origin);
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return apply(claim.key(), (found, now) -> {
			if (!(found instanceof Claimed held) || !holds(claim, held) || held.isGivenUp()) {
				return new Step<>(Ownership.LOST, found);
			}
			if (held.isBurnt()) {
				return new Step<>(Ownership.HELD, held);
			}
			long leaseNanos = nanos(lease);
			return new Step<>(Ownership.HELD,
					held.until(now + leaseNanos, now + Math.max(leaseNanos, held.retention())));
		});
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		Ownership ownership = apply(claim.key(), (found, now) -> {
			if (found == null || (found instanceof Claimed held && holds(claim, held))) {
				return new Step<>(Ownership.HELD, new Finished(claim.owner(), claim.fingerprint(), claim.attempt(),
						outcome, now + nanos(retention), (found instanceof Claimed held) ? held.origin() : null));
			}
			boolean repeated = found instanceof Finished finished && finished.owner().equals(claim.owner())
					&& finished.attempt() == claim.attempt();
			return new Step<>(repeated ? Ownership.HELD : Ownership.LOST, found);
		});
		return wakeIfHeld(claim, ownership);
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		Ownership ownership = apply(claim.key(), (found, now) -> {
			if (!(found instanceof Claimed held) || !holds(claim, held) || held.isGivenUp()) {
				return new Step<>(Ownership.LOST, found);
			}
			return new Step<>(Ownership.HELD,
					(release == Release.UNKNOWN) ? giveUp(held) : stateBeforeClaim(held, now));
		});
		return wakeIfHeld(claim, ownership);
	}

	private static LocalRecord giveUp(Claimed held) {
		return held.isBurnt() ? held : held.until(Claimed.GIVEN_UP, held.expiry());
	}

	private static @Nullable LocalRecord stateBeforeClaim(Claimed held, long now) {
		return (held.tokenEnd() > now) ? new Issued(held.attempt(), held.tokenEnd()) : null;
	}

	private static boolean holds(ClaimId claim, Claimed held) {
		return held.attempt() == claim.attempt() && held.owner().equals(claim.owner());
	}

	private Ownership wakeIfHeld(ClaimId claim, Ownership ownership) {
		if (ownership == Ownership.HELD) {
			this.waiters.wake(claim.key());
		}
		return ownership;
	}

	@Override
	public RecordSnapshot inspect(OperationKey key) {
		return apply(key, (found,
				now) -> new Step<>((found != null) ? found.snapshot(key, now) : RecordSnapshot.absent(key), found));
	}

	@Override
	public synchronized FoundKeys findKeys(KeyPrefix prefix, int limit) {
		List<OperationKey> keys = this.records.keys()
			.filter((key) -> prefix.matches(key) && inspect(key).state() != RecordState.ABSENT)
			.limit(limit + 1L)
			.toList();
		return new FoundKeys(keys.subList(0, Math.min(limit, keys.size())), keys.size() <= limit);
	}

	@Override
	public synchronized UnknownRecords unknown(int limit) {
		List<RecordSnapshot> unknown = this.records.newestClaims()
			.map(this::inspect)
			.filter((record) -> record.state() == RecordState.UNKNOWN)
			.limit(limit + 1L)
			.toList();
		return new UnknownRecords(unknown.subList(0, Math.min(limit, unknown.size())), unknown.size() <= limit);
	}

	@Override
	public SettlementResult settle(Settlement settlement) {
		SettlementResult result = apply(settlement.key(), (found, now) -> {
			if (!(found instanceof Claimed held) || held.isBurnt() || held.attempt() != settlement.attempt()
					|| !held.owner().equals(settlement.seen())) {
				return new Step<>(SettlementResult.CHANGED, found);
			}
			if (held.leaseEnd() > now && !settlement.force()) {
				return new Step<>(SettlementResult.ALIVE, found);
			}
			return new Step<>(SettlementResult.SETTLED, settled(held, settlement, now));
		});
		if (result == SettlementResult.SETTLED) {
			this.waiters.wake(settlement.key());
		}
		return result;
	}

	private static LocalRecord settled(Claimed held, Settlement settlement, long now) {
		return switch (settlement.kind()) {
			case RELEASE -> new Issued(held.attempt(), held.expiry());
			case CONFIRM -> new Finished(settlement.by(), held.fingerprint(), held.attempt(), Outcome.TOMBSTONE,
					now + held.retention(), held.origin());
		};
	}

	@Override
	public String nameOf(OperationKey key) {
		return key.encoded();
	}

	@Override
	public Subscription subscribe(OperationKey key, Runnable wake) {
		return this.waiters.subscribe(key, wake);
	}

	synchronized int size() {
		return this.records.size();
	}

	/** Forgets all records. Running operations have lost their claims. */
	protected final synchronized void clear() {
		this.records.clear();
	}

	private synchronized <R> R apply(OperationKey key, Transition<R> transition) {
		long now = this.nanoTime.getAsLong() - this.origin;
		LocalRecord found = this.records.get(key);
		LocalRecord live = (found != null && found.expiry() > now) ? found : null;
		Step<R> step = transition.from(live, now);
		if (step.next() != live) {
			this.records.put(key, step.next(), now);
		}
		return step.result();
	}

	private static long nanos(Duration duration) {
		return (duration.compareTo(Duration.ofNanos(FOREVER)) < 0) ? duration.toNanos() : FOREVER;
	}

	/** A pure function of the record. */
	private interface Transition<R> {

		Step<R> from(@Nullable LocalRecord found, long now);

	}

	private record Step<R>(R result, @Nullable LocalRecord next) {
	}

}
