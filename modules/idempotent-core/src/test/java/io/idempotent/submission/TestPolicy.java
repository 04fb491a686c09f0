package io.idempotent.submission;

import java.time.Duration;
import java.util.stream.Stream;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.submission.policy.OperationPolicy;

/**
 * Policies that differ from the defaults by a time or some words.
 */
public final class TestPolicy {

	public static final String OPERATION = "Orders.create";

	/** Long enough never to lapse by itself in a test. */
	public static final Duration LEASE = Duration.ofSeconds(30);

	public static final Duration RETENTION = Duration.ofMinutes(10);

	private static final Duration WAIT = Duration.ofSeconds(20);

	public static final OperationPolicy DEFAULT = with();

	private TestPolicy() {
	}

	public static OperationPolicy with(Enum<?>... words) {
		return policy(LEASE, RETENTION, WAIT, false, words);
	}

	public static OperationPolicy lease(Duration lease, Enum<?>... words) {
		return policy(lease, RETENTION, WAIT, false, words);
	}

	public static OperationPolicy retention(Duration retention, Enum<?>... words) {
		return policy(LEASE, retention, WAIT, false, words);
	}

	public static OperationPolicy waiting(Duration lease, Duration waitTimeout, Enum<?>... words) {
		return policy(lease, RETENTION, waitTimeout, false,
				Stream.concat(Stream.of(WhenInProgress.WAIT), Stream.of(words)).toArray(Enum<?>[]::new));
	}

	/** Each transaction leaves a receipt. */
	public static OperationPolicy receipts(Enum<?>... words) {
		return policy(LEASE, RETENTION, WAIT, true, words);
	}

	private static OperationPolicy policy(Duration lease, Duration retention, Duration waitTimeout, boolean receipt,
			Enum<?>... words) {
		return new OperationPolicy(OPERATION, lease, retention, waitTimeout, word(WhenCompleted.REPLAY, words),
				word(WhenInProgress.REJECT, words), word(WhenUnknown.RERUN, words), word(WhenFailed.RELEASE, words),
				word(WhenStoreFails.REJECT, words), receipt, false, "");
	}

	private static <E extends Enum<E>> E word(E usual, Enum<?>... words) {
		Class<E> type = usual.getDeclaringClass();
		return Stream.of(words).filter(type::isInstance).map(type::cast).findFirst().orElse(usual);
	}

}
