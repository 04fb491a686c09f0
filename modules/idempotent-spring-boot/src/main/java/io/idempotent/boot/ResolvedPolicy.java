package io.idempotent.boot;

import java.time.Duration;
import java.util.List;

import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.policy.OperationPolicy;

/**
 * The policy of an operation, and where each of its values was set.
 *
 * @param lease how long a claim lives without renewal
 * @param retention how long a finished operation is remembered
 * @param waitTimeout how long a duplicate waits at most
 * @param whenCompleted what a duplicate of a finished operation gets
 * @param whenInProgress what a duplicate of a running operation gets
 * @param whenUnknown what happens after the owner stopped renewing its claim
 * @param whenFailed what happens to the claim of a failed operation
 * @param whenStoreFails what happens while the store cannot be reached
 * @param receipt whether a receipt is asked for
 * @param writesReceipt whether receipts are written
 * @param message what users are told about a submission that was made before
 */
record ResolvedPolicy(PolicyValue<Duration> lease, PolicyValue<Duration> retention, PolicyValue<Duration> waitTimeout,
		PolicyValue<WhenCompleted> whenCompleted, PolicyValue<WhenInProgress> whenInProgress,
		PolicyValue<WhenUnknown> whenUnknown, PolicyValue<WhenFailed> whenFailed,
		PolicyValue<WhenStoreFails> whenStoreFails, PolicyValue<ReceiptMode> receipt, boolean writesReceipt,
		PolicyValue<String> message) {

	OperationPolicy policy(String operation) {
		return new OperationPolicy(operation, this.lease.value(), this.retention.value(), this.waitTimeout.value(),
				this.whenCompleted.value(), this.whenInProgress.value(), this.whenUnknown.value(),
				this.whenFailed.value(), this.whenStoreFails.value(), this.writesReceipt, false, this.message.value());
	}

	/**
	 * The values, except the receipt and the message.
	 */
	List<PolicyValue<?>> values() {
		return List.of(this.lease, this.retention, this.waitTimeout, this.whenCompleted, this.whenInProgress,
				this.whenUnknown, this.whenFailed, this.whenStoreFails);
	}

}
