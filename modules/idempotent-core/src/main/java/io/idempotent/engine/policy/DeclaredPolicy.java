package io.idempotent.engine.policy;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;

/**
 * The policy that an annotation declares for an operation. {@link OperationPolicies} adds
 * the defaults.
 *
 * @param lease how long a claim lives without renewal, or an empty text
 * @param retention how long a finished operation is remembered, or an empty text
 * @param waitTimeout how long a duplicate waits at most, or an empty text
 * @param whenCompleted what a duplicate of a finished operation gets
 * @param whenInProgress what a duplicate of a running operation gets
 * @param whenUnknown what happens after the owner stopped renewing its claim
 * @param whenFailed what happens to the claim of a failed operation
 * @param whenStoreFails what happens while the store cannot be reached
 * @param receipt whether what it commits leaves a receipt
 * @param message whether submissions are messages, which are redelivered if refused
 * @param refusalMessage the message to users about a repeated submission, or an empty
 * text
 */
public record DeclaredPolicy(String lease, String retention, String waitTimeout, WhenCompleted whenCompleted,
		WhenInProgress whenInProgress, WhenUnknown whenUnknown, WhenFailed whenFailed, WhenStoreFails whenStoreFails,
		ReceiptMode receipt, boolean message, String refusalMessage) {

	/** Declares nothing. For operations without an annotation. */
	public static final DeclaredPolicy NONE = new DeclaredPolicy("", "", "", WhenCompleted.DEFAULT,
			WhenInProgress.DEFAULT, WhenUnknown.DEFAULT, WhenFailed.DEFAULT, WhenStoreFails.DEFAULT,
			ReceiptMode.DEFAULT, false, "");

	/**
	 * Reads an annotation.
	 * @param annotation that of a handler method
	 * @return what it declares
	 */
	public static DeclaredPolicy of(ApiIdempotent annotation) {
		return new DeclaredPolicy(annotation.lease(), annotation.retention(), annotation.waitTimeout(),
				annotation.whenCompleted(), annotation.whenInProgress(), annotation.whenUnknown(),
				annotation.whenFailed(), annotation.whenStoreFails(), annotation.receipt(), false,
				annotation.message());
	}

	/**
	 * Reads an annotation.
	 * @param annotation that of a bean method
	 * @param message whether the method listens to messages
	 * @return what it declares
	 */
	public static DeclaredPolicy of(Idempotent annotation, boolean message) {
		return new DeclaredPolicy(annotation.lease(), annotation.retention(), annotation.waitTimeout(),
				annotation.whenCompleted(), annotation.whenInProgress(), annotation.whenUnknown(),
				annotation.whenFailed(), annotation.whenStoreFails(), annotation.receipt(), message,
				annotation.message());
	}

}
