package io.idempotent.engine;

import java.time.Duration;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.policy.OperationPolicy;

/**
 * Policies that differ from the defaults by one word.
 */
public final class TestPolicy {

	public static final String OPERATION = "Orders.create";

	/** Long enough never to lapse by itself in a test. */
	public static final Duration LEASE = Duration.ofSeconds(30);

	public static final Duration RETENTION = Duration.ofMinutes(10);

	public static final OperationPolicy DEFAULT = new OperationPolicy(OPERATION, LEASE, RETENTION,
			Duration.ofSeconds(20), WhenCompleted.REPLAY, WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE,
			WhenStoreFails.REJECT, false, false, "");

	private TestPolicy() {
	}

	public static OperationPolicy with(WhenCompleted whenCompleted) {
		OperationPolicy p = DEFAULT;
		return new OperationPolicy(p.operation(), p.lease(), p.retention(), p.waitTimeout(), whenCompleted,
				p.whenInProgress(), p.whenUnknown(), p.whenFailed(), p.whenStoreFails(), false, false, "");
	}

	public static OperationPolicy with(WhenUnknown whenUnknown) {
		OperationPolicy p = DEFAULT;
		return new OperationPolicy(p.operation(), p.lease(), p.retention(), p.waitTimeout(), p.whenCompleted(),
				p.whenInProgress(), whenUnknown, p.whenFailed(), p.whenStoreFails(), false, false, "");
	}

	public static OperationPolicy with(WhenStoreFails whenStoreFails) {
		OperationPolicy p = DEFAULT;
		return new OperationPolicy(p.operation(), p.lease(), p.retention(), p.waitTimeout(), p.whenCompleted(),
				p.whenInProgress(), p.whenUnknown(), p.whenFailed(), whenStoreFails, false, false, "");
	}

	public static OperationPolicy lease(Duration lease) {
		return lease(lease, WhenUnknown.RERUN);
	}

	public static OperationPolicy lease(Duration lease, WhenUnknown whenUnknown) {
		OperationPolicy p = DEFAULT;
		return new OperationPolicy(p.operation(), lease, p.retention(), p.waitTimeout(), p.whenCompleted(),
				p.whenInProgress(), whenUnknown, p.whenFailed(), p.whenStoreFails(), false, false, "");
	}

	/** What fails is unknown, and what is unknown is refused. */
	public static OperationPolicy cautious(Duration lease) {
		OperationPolicy p = DEFAULT;
		return new OperationPolicy(p.operation(), lease, p.retention(), p.waitTimeout(), p.whenCompleted(),
				p.whenInProgress(), WhenUnknown.REJECT, WhenFailed.UNKNOWN, p.whenStoreFails(), false, false, "");
	}

	public static OperationPolicy waiting(Duration waitTimeout) {
		return waiting(waitTimeout, WhenUnknown.RERUN, WhenStoreFails.REJECT);
	}

	public static OperationPolicy waiting(Duration waitTimeout, WhenUnknown whenUnknown,
			WhenStoreFails whenStoreFails) {
		OperationPolicy p = DEFAULT;
		return new OperationPolicy(p.operation(), p.lease(), p.retention(), waitTimeout, p.whenCompleted(),
				WhenInProgress.WAIT, whenUnknown, p.whenFailed(), whenStoreFails, false, false, "");
	}

}
