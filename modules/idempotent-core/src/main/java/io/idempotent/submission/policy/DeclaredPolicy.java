package io.idempotent.submission.policy;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import org.jspecify.annotations.Nullable;

/**
 * The policy that an annotation declares for an operation, without the defaults. Texts
 * are empty where nothing is declared. {@code redelivered} says whether submissions are
 * messages, which are redelivered if refused; {@code refusalMessage} is for users.
 * {@code source} is {@code null} unless submissions are requests.
 */
public record DeclaredPolicy(String lease, String retention, String waitTimeout, WhenCompleted whenCompleted,
		WhenInProgress whenInProgress, WhenUnknown whenUnknown, WhenFailed whenFailed, WhenStoreFails whenStoreFails,
		ReceiptMode receipt, boolean redelivered, String refusalMessage, @Nullable KeySource source) {

	/** For operations without an annotation. */
	public static final DeclaredPolicy NONE = undeclared(false);

	/** For messages without an annotation. */
	public static final DeclaredPolicy MESSAGE = undeclared(true);

	private static DeclaredPolicy undeclared(boolean redelivered) {
		return new DeclaredPolicy("", "", "", WhenCompleted.DEFAULT, WhenInProgress.DEFAULT, WhenUnknown.DEFAULT,
				WhenFailed.DEFAULT, WhenStoreFails.DEFAULT, ReceiptMode.DEFAULT, redelivered, "", null);
	}

	public static DeclaredPolicy of(ApiIdempotent annotation) {
		return new DeclaredPolicy(annotation.lease(), annotation.retention(), annotation.waitTimeout(),
				annotation.whenCompleted(), annotation.whenInProgress(), annotation.whenUnknown(),
				annotation.whenFailed(), annotation.whenStoreFails(), annotation.receipt(), false, annotation.message(),
				sourceOf(annotation));
	}

	/** A key expression implies the content. */
	public static KeySource sourceOf(ApiIdempotent annotation) {
		boolean implied = !annotation.key().isEmpty() && annotation.value() == KeySource.DEFAULT;
		return implied ? KeySource.CONTENT : annotation.value();
	}

	public static DeclaredPolicy of(Idempotent annotation, boolean redelivered) {
		return new DeclaredPolicy(annotation.lease(), annotation.retention(), annotation.waitTimeout(),
				annotation.whenCompleted(), annotation.whenInProgress(), annotation.whenUnknown(),
				annotation.whenFailed(), annotation.whenStoreFails(), annotation.receipt(), redelivered,
				annotation.message(), null);
	}

}
