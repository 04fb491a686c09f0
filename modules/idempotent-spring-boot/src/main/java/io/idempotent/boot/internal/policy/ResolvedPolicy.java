package io.idempotent.boot.internal.policy;

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
 * An {@link OperationPolicy}, and where each of its values was set. The receipt is what
 * was asked for, which is not yet whether receipts are written.
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
