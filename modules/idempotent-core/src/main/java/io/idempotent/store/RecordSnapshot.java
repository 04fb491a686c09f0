package io.idempotent.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A record as a store has read it, at one moment. Reading it has changed nothing.
 *
 * @param attempt the number of the last claim, 0 if it was never claimed
 * @param owner the owner that holds or has completed the claim; {@code null} if there is
 * none
 * @param origin where that owner's run came from; {@code null} where it is not known
 * @param leaseLeft the time until the lease ends if it is not renewed; zero if the state
 * is not {@link RecordState#IN_PROGRESS}
 * @param retentionLeft the time until the record expires; zero if there is none
 * @param outcome the outcome of a completed operation, otherwise {@code null}
 */
public record RecordSnapshot(OperationKey key, RecordState state, int attempt, @Nullable Owner owner,
		@Nullable Origin origin, Duration leaseLeft, Duration retentionLeft, @Nullable Outcome outcome) {

	/** The snapshot of a key that has no record. */
	public static RecordSnapshot absent(OperationKey key) {
		return new RecordSnapshot(key, RecordState.ABSENT, 0, null, null, Duration.ZERO, Duration.ZERO, null);
	}

}
