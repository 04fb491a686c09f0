package com.example;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;

/**
 * The simplest store: a map below one monitor.
 */
class MapStore implements IdempotencyStore, RecordAdministration {

	private static final Duration LONGEST = Duration.ofDays(40_000);

	private final Map<OperationKey, Row> rows = new HashMap<>();

	private final InstantSource clock;

	MapStore(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public synchronized void issue(OperationKey key, Duration timeToLive) {
		if (find(key) == null) {
			Row row = new Row();
			row.issuedUntil = row.expiry = in(timeToLive);
			this.rows.put(key, row);
		}
	}

	@Override
	public synchronized ClaimResult claim(ClaimRequest request) {
		Row row = find(request.key());
		if (row == null) {
			if (request.admission() == Admission.ISSUED) {
				return new ClaimResult.NotIssued();
			}
			row = new Row();
			this.rows.put(request.key(), row);
		}
		else if (row.owner != null) {
			ClaimResult refusal = refuse(row, request);
			if (refusal != null) {
				return refusal;
			}
		}
		boolean readBack = request.owner().equals(row.owner) && !row.givenUp;
		if (!readBack) {
			row.tookOver = row.owner != null;
			row.attempt++;
		}
		row.claim(request, in(request.lease()), in(request.retention()));
		row.claimedAt = now();
		return new ClaimResult.Granted(row.attempt, row.tookOver);
	}

	private ClaimResult refuse(Row row, ClaimRequest request) {
		if (!row.fingerprint.equals(request.fingerprint())) {
			return new ClaimResult.KeyReused(row.fingerprint);
		}
		if (row.outcome != null) {
			return completed(row, row.outcome);
		}
		if (row.owner.equals(request.owner()) && !row.givenUp) {
			return null;
		}
		if (row.burnt) {
			return completed(row, Outcome.TOMBSTONE);
		}
		if (!row.givenUp && row.leaseEnd.isAfter(now())) {
			return new ClaimResult.InProgress(Duration.between(now(), row.leaseEnd));
		}
		return (request.lapsed() == Lapsed.LEAVE) ? new ClaimResult.Unknown() : null;
	}

	private ClaimResult completed(Row row, Outcome outcome) {
		return new ClaimResult.Completed(outcome, row.attempt, Duration.between(now(), row.expiry), row.origin);
	}

	@Override
	public synchronized Ownership renew(ClaimId claim, Duration lease) {
		Row row = find(claim.key());
		if (!isHeld(row, claim) || row.givenUp) {
			return Ownership.LOST;
		}
		if (!row.burnt) {
			row.leaseEnd = in(lease);
			row.expiry = in((lease.compareTo(row.retention) > 0) ? lease : row.retention);
		}
		return Ownership.HELD;
	}

	@Override
	public synchronized Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		Row row = find(claim.key());
		if (row != null && row.outcome != null && row.isOf(claim)) {
			return Ownership.HELD;
		}
		if (row != null && !isHeld(row, claim)) {
			return Ownership.LOST;
		}
		Row done = new Row();
		done.owner = claim.owner();
		done.fingerprint = claim.fingerprint();
		done.attempt = claim.attempt();
		done.outcome = outcome;
		done.origin = (row != null) ? row.origin : null;
		done.expiry = in(retention);
		this.rows.put(claim.key(), done);
		return Ownership.HELD;
	}

	@Override
	public synchronized Ownership release(ClaimId claim, Release release) {
		Row row = find(claim.key());
		if (!isHeld(row, claim) || row.givenUp) {
			return Ownership.LOST;
		}
		if (release == Release.UNKNOWN) {
			row.givenUp = !row.burnt;
		}
		else if (row.issuedUntil != null && row.issuedUntil.isAfter(now())) {
			row.owner = null;
			row.expiry = row.issuedUntil;
		}
		else {
			this.rows.remove(claim.key());
		}
		return Ownership.HELD;
	}

	@Override
	public synchronized RecordSnapshot inspect(OperationKey key) {
		Row row = find(key);
		if (row == null) {
			return RecordSnapshot.absent(key);
		}
		Duration left = Duration.between(now(), row.expiry);
		if (row.owner == null) {
			return new RecordSnapshot(key, RecordState.ISSUED, row.attempt, null, null, Duration.ZERO, left, null);
		}
		if (row.outcome != null || row.burnt) {
			return new RecordSnapshot(key, RecordState.COMPLETED, row.attempt, row.owner, row.origin, Duration.ZERO,
					left, (row.outcome != null) ? row.outcome : Outcome.TOMBSTONE);
		}
		boolean alive = isAlive(row);
		return new RecordSnapshot(key, alive ? RecordState.IN_PROGRESS : RecordState.UNKNOWN, row.attempt, row.owner,
				row.origin, alive ? Duration.between(now(), row.leaseEnd) : Duration.ZERO, left, null);
	}

	private boolean isAlive(Row row) {
		return !row.givenUp && row.leaseEnd.isAfter(now());
	}

	@Override
	public synchronized FoundKeys findKeys(KeyPrefix prefix, int limit) {
		List<OperationKey> keys = this.rows.keySet()
			.stream()
			.filter((key) -> prefix.matches(key) && find(key) != null)
			.toList();
		return new FoundKeys(keys.stream().limit(limit).toList(), keys.size() <= limit);
	}

	@Override
	public synchronized UnknownRecords unknown(int limit) {
		List<RecordSnapshot> unknown = this.rows.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().claimedAt != null)
			.sorted(Comparator.comparing((entry) -> entry.getValue().claimedAt, Comparator.reverseOrder()))
			.map((entry) -> inspect(entry.getKey()))
			.filter((record) -> record.state() == RecordState.UNKNOWN)
			.toList();
		return new UnknownRecords(unknown.stream().limit(limit).toList(), unknown.size() <= limit);
	}

	@Override
	public synchronized SettlementResult settle(Settlement settlement) {
		Row row = find(settlement.key());
		if (row == null || row.outcome != null || row.burnt || !settlement.seen().equals(row.owner)
				|| row.attempt != settlement.attempt()) {
			return SettlementResult.CHANGED;
		}
		if (isAlive(row) && !settlement.force()) {
			return SettlementResult.ALIVE;
		}
		if (settlement.kind() == Settlement.Kind.RELEASE) {
			row.owner = null;
		}
		else {
			row.owner = settlement.by();
			row.outcome = Outcome.TOMBSTONE;
			row.expiry = in(row.retention);
		}
		return SettlementResult.SETTLED;
	}

	@Override
	public String nameOf(OperationKey key) {
		return key.encoded();
	}

	private static boolean isHeld(Row row, ClaimId claim) {
		return row != null && row.outcome == null && row.isOf(claim);
	}

	private Row find(OperationKey key) {
		Row row = this.rows.get(key);
		return (row != null && row.expiry.isAfter(now())) ? row : null;
	}

	private Instant now() {
		return this.clock.instant();
	}

	private Instant in(Duration time) {
		return now().plus((time.compareTo(LONGEST) < 0) ? time : LONGEST);
	}

	private static final class Row {

		private Owner owner;

		private Fingerprint fingerprint;

		private int attempt;

		private boolean tookOver;

		private boolean givenUp;

		private boolean burnt;

		private Outcome outcome;

		private Instant issuedUntil;

		private Instant leaseEnd;

		private Duration retention;

		private Instant expiry;

		private Instant claimedAt;

		private Origin origin;

		private boolean isOf(ClaimId claim) {
			return claim.owner().equals(this.owner) && claim.attempt() == this.attempt;
		}

		private void claim(ClaimRequest request, Instant leaseEnd, Instant expiry) {
			this.owner = request.owner();
			this.fingerprint = request.fingerprint();
			this.origin = request.origin();
			this.givenUp = false;
			this.burnt = request.term() == Term.BURNT;
			this.leaseEnd = leaseEnd;
			this.retention = request.retention();
			this.expiry = expiry;
		}

	}

}
