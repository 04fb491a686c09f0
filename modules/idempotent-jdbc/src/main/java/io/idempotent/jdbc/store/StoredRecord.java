package io.idempotent.jdbc.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Objects;

import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * A record as it was read. Times are microseconds of the database's clock;
 * {@code leaseEnd} is 0 once the owner has released the record as unknown.
 */
@SuppressWarnings("ArrayRecordComponent")
record StoredRecord(int format, int state, int attempt, byte @Nullable [] owner, byte @Nullable [] fingerprint,
		long leaseEnd, long expiresAt, byte @Nullable [] answer, @Nullable String origin, long readAt) {

	static final int FORMAT = 1;

	static final int ISSUED = 1;

	static final int CLAIMED = 2;

	static final int COMPLETED = 3;

	static final int TOMBSTONE = 4;

	static final int BURNT = 5;

	static StoredRecord read(ResultSet row) throws SQLException {
		return new StoredRecord(row.getInt("format"), row.getInt("state"), row.getInt("attempt"), row.getBytes("owner"),
				row.getBytes("fingerprint"), row.getLong("lease_end"), row.getLong("expires_at"),
				row.getBytes("answer"), row.getString("origin"), row.getLong("read_at"));
	}

	boolean isExpired() {
		return this.expiresAt <= this.readAt;
	}

	/** Shows a record that has not expired. */
	RecordSnapshot snapshot(OperationKey key) {
		requireReadable(key);
		Outcome outcome = (this.state == ISSUED || this.state == CLAIMED) ? null : outcome();
		Duration leaseLeft = (this.state == CLAIMED && this.leaseEnd > this.readAt) ? left(this.leaseEnd)
				: Duration.ZERO;
		return new RecordSnapshot(key, state(leaseLeft), this.attempt,
				(this.owner != null) ? Owner.of(this.owner) : null, Origin.decode(this.origin), leaseLeft,
				left(this.expiresAt), outcome);
	}

	private RecordState state(Duration leaseLeft) {
		return switch (this.state) {
			case ISSUED -> RecordState.ISSUED;
			case CLAIMED -> leaseLeft.isZero() ? RecordState.UNKNOWN : RecordState.IN_PROGRESS;
			default -> RecordState.COMPLETED;
		};
	}

	private Outcome outcome() {
		return (this.answer != null) ? Outcome.stored(this.answer) : Outcome.TOMBSTONE;
	}

	/** Whether it is the outcome of this claim. */
	boolean isOutcomeOf(ClaimId claim) {
		return (this.state == COMPLETED || this.state == TOMBSTONE) && this.attempt == claim.attempt()
				&& Arrays.equals(this.owner, claim.owner().bytes());
	}

	/** Returns why the database did not grant a claim. */
	ClaimResult refusal(ClaimRequest request) {
		if (isExpired()) {
			return new ClaimResult.NotIssued();
		}
		requireReadable(request.key());
		Fingerprint recorded = new Fingerprint(Digest.of(Objects.requireNonNull(this.fingerprint)));
		if (!recorded.equals(request.fingerprint())) {
			return new ClaimResult.KeyReused(recorded);
		}
		if (this.state != CLAIMED) {
			return new ClaimResult.Completed(outcome(), this.attempt, left(this.expiresAt), Origin.decode(this.origin));
		}
		return (this.leaseEnd > this.readAt) ? new ClaimResult.InProgress(left(this.leaseEnd))
				: new ClaimResult.Unknown();
	}

	private Duration left(long end) {
		return Duration.of(end - this.readAt, ChronoUnit.MICROS);
	}

	void requireReadable(OperationKey key) {
		String defect = defect();
		if (defect != null) {
			throw UnreadableRecordException.of(key, "the database", defect,
					"in " + DurationText.ofMeasured(left(this.expiresAt)));
		}
	}

	private @Nullable String defect() {
		if (this.format != FORMAT) {
			return "its format is version " + this.format + ", and this version of the library reads version " + FORMAT;
		}
		if (this.state < ISSUED || this.state > BURNT) {
			return "its state is " + this.state + ", which is not a known state";
		}
		if (this.state != ISSUED
				&& (hasOtherLength(this.owner, Owner.LENGTH) || hasOtherLength(this.fingerprint, Digest.LENGTH))) {
			return "it has no owner or no fingerprint, which does not fit its state " + this.state;
		}
		if ((this.answer != null) != (this.state == COMPLETED)) {
			return "it has " + ((this.answer != null) ? "an" : "no") + " answer, which does not fit its state "
					+ this.state;
		}
		return null;
	}

	private static boolean hasOtherLength(byte @Nullable [] bytes, int length) {
		return bytes == null || bytes.length != length;
	}

	/** A record, and what a claim of it would result in. */
	record Found(StoredRecord record, boolean claimable, int nextAttempt, boolean nextTookOver) {

		static Found read(ResultSet row) throws SQLException {
			return new Found(StoredRecord.read(row), row.getBoolean("claimable"), row.getInt("next_attempt"),
					row.getBoolean("next_took_over"));
		}

	}

}
