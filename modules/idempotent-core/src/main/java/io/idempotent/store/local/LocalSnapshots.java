package io.idempotent.store.local;

import java.time.Duration;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.local.LocalRecord.Claimed;
import io.idempotent.store.local.LocalRecord.Finished;
import io.idempotent.store.local.LocalRecord.Issued;
import org.jspecify.annotations.Nullable;

/**
 * Shows records as snapshots.
 */
final class LocalSnapshots {

	private LocalSnapshots() {
	}

	static RecordSnapshot of(OperationKey key, @Nullable LocalRecord found, long now) {
		if (found == null) {
			return RecordSnapshot.absent(key);
		}
		Duration retentionLeft = Duration.ofNanos(found.expiry() - now);
		if (found instanceof Issued issued) {
			return new RecordSnapshot(key, RecordState.ISSUED, issued.attempts(), null, null, Duration.ZERO,
					retentionLeft, null);
		}
		if (found instanceof Finished done) {
			return new RecordSnapshot(key, RecordState.COMPLETED, done.attempt(), done.owner(), done.origin(),
					Duration.ZERO, retentionLeft, done.outcome());
		}
		return claimed(key, (Claimed) found, retentionLeft, now);
	}

	private static RecordSnapshot claimed(OperationKey key, Claimed claimed, Duration retentionLeft, long now) {
		if (claimed.isBurnt()) {
			return new RecordSnapshot(key, RecordState.COMPLETED, claimed.attempt(), claimed.owner(), claimed.origin(),
					Duration.ZERO, retentionLeft, Outcome.TOMBSTONE);
		}
		boolean alive = claimed.leaseEnd() > now;
		return new RecordSnapshot(key, alive ? RecordState.IN_PROGRESS : RecordState.UNKNOWN, claimed.attempt(),
				claimed.owner(), claimed.origin(), alive ? Duration.ofNanos(claimed.leaseEnd() - now) : Duration.ZERO,
				retentionLeft, null);
	}

}
