package io.idempotent.submission.policy;

import java.time.Duration;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.logging.DurationText;

import org.springframework.util.Assert;

/**
 * How one operation is treated; every default has been filled in.
 *
 * @param recovers whether an answer that was not kept may be rebuilt
 * @param refusalMessage for users, about a repeated submission: a text, or the code of a
 * message in braces; empty for the default text
 */
public record OperationPolicy(String operation, Duration lease, Duration retention, Duration waitTimeout,
		WhenCompleted whenCompleted, WhenInProgress whenInProgress, WhenUnknown whenUnknown, WhenFailed whenFailed,
		WhenStoreFails whenStoreFails, boolean receipt, boolean recovers, String refusalMessage) {

	/** The longest lease and wait. Shorter than what a long can hold in nanoseconds. */
	private static final Duration LONGEST = Duration.ofDays(365);

	/** The length of the column in the table of receipts. */
	private static final int LONGEST_NAME = 255;

	/** Throws, naming operation, attribute, value and reason, if it cannot work. */
	public OperationPolicy {
		requirePositive(operation, "lease", lease);
		requirePositive(operation, "retention", retention);
		requirePositive(operation, "wait-timeout", waitTimeout);
		requireCountable(operation, "lease", lease);
		requireCountable(operation, "wait-timeout", waitTimeout);
		if (whenCompleted == WhenCompleted.BURN && retention.compareTo(lease) < 0) {
			throw new IllegalArgumentException("The retention of operation '" + operation + "' ("
					+ DurationText.of(retention) + ") is shorter than its lease (" + DurationText.of(lease)
					+ "), and with BURN it begins with the claim, so that the key would be free while the operation "
					+ "runs: make the retention longer, or choose REJECT");
		}
		if (receipt && operation.length() > LONGEST_NAME) {
			throw new IllegalArgumentException("The name of operation '" + operation + "' has " + operation.length()
					+ " characters, but a receipt has room for " + LONGEST_NAME
					+ ": give it a shorter name, or let it leave no receipt");
		}
		requireDecided(operation, whenCompleted, WhenCompleted.DEFAULT);
		requireDecided(operation, whenInProgress, WhenInProgress.DEFAULT);
		requireDecided(operation, whenUnknown, WhenUnknown.DEFAULT);
		requireDecided(operation, whenFailed, WhenFailed.DEFAULT);
		requireDecided(operation, whenStoreFails, WhenStoreFails.DEFAULT);
	}

	public OperationPolicy recovering() {
		return new OperationPolicy(this.operation, this.lease, this.retention, this.waitTimeout, this.whenCompleted,
				this.whenInProgress, this.whenUnknown, this.whenFailed, this.whenStoreFails, this.receipt, true,
				this.refusalMessage);
	}

	/**
	 * The operation's message is used for repeated submissions only: other refusals have
	 * messages that tell the user what to do.
	 */
	public SubmissionRefusedException exception(Refusal reason) {
		boolean repeated = reason == Refusal.DUPLICATE || reason == Refusal.IN_PROGRESS;
		return new SubmissionRefusedException(reason, this.operation,
				(repeated && !this.refusalMessage.isEmpty()) ? this.refusalMessage : null);
	}

	/** Why a duplicate of a finished operation is refused without an answer. */
	public Refusal refusalOfDuplicate() {
		return (this.whenCompleted == WhenCompleted.REPLAY) ? Refusal.RESPONSE_UNAVAILABLE : Refusal.DUPLICATE;
	}

	private static void requirePositive(String operation, String attribute, Duration value) {
		if (value.isZero() || value.isNegative()) {
			throw new IllegalArgumentException("The " + attribute + " of operation '" + operation + "' is "
					+ DurationText.of(value) + ", but it must be positive: give a time such as 30s");
		}
	}

	private static void requireCountable(String operation, String attribute, Duration value) {
		if (value.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("The " + attribute + " of operation '" + operation + "' is "
					+ DurationText.of(value) + ", which is longer than a year: give a time such as 30s");
		}
	}

	private static <E extends Enum<E>> void requireDecided(String operation, E value, E undecided) {
		Assert.isTrue(value != undecided, () -> "Operation '" + operation + "' has no value for "
				+ value.getDeclaringClass().getSimpleName() + ": DEFAULT stands for a default and cannot be one");
	}

}
