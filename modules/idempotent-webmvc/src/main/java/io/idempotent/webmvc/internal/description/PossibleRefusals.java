package io.idempotent.webmvc.internal.description;

import java.util.EnumSet;
import java.util.Set;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.webmvc.internal.operation.Operation;

/**
 * Determines which refusals the settings of an operation make possible. A caller without
 * a name, a body that a filter has taken away and an unreadable record are faults of the
 * server, and are left out.
 */
final class PossibleRefusals {

	private PossibleRefusals() {
	}

	/**
	 * Determines the refusals.
	 * @param operation the operation
	 * @param keyRequired whether a request without the header of a key is refused
	 * @return the refusals, in the order of their declaration
	 */
	static Set<Refusal> of(Operation operation, boolean keyRequired) {
		Set<Refusal> refusals = EnumSet.of(Refusal.BODY_TOO_LARGE, operation.policy().refusalOfDuplicate());
		addThoseOfTheKey(operation, keyRequired, refusals);
		addThoseOfThePolicy(operation.policy(), refusals);
		return refusals;
	}

	private static void addThoseOfTheKey(Operation operation, boolean keyRequired, Set<Refusal> refusals) {
		boolean sent = operation.source() != KeySource.CONTENT;
		if (sent) {
			refusals.add(Refusal.KEY_MALFORMED);
		}
		if (operation.source() == KeySource.TOKEN) {
			refusals.add(Refusal.TOKEN_UNKNOWN);
		}
		if (sent || operation.expression() != null) {
			// If the whole content is the key, it is never missing and never reused.
			refusals.add(Refusal.KEY_REUSED);
		}
		boolean optional = operation.source() == KeySource.HEADER && !keyRequired;
		if (operation.expression() != null || (sent && !optional)) {
			refusals.add(Refusal.KEY_MISSING);
		}
	}

	private static void addThoseOfThePolicy(OperationPolicy policy, Set<Refusal> refusals) {
		// A burnt key is completed by its claim: it is never in progress or unknown.
		boolean burnt = policy.whenCompleted() == WhenCompleted.BURN;
		if (!burnt) {
			refusals.add(Refusal.IN_PROGRESS);
		}
		if (!burnt && policy.whenUnknown() != WhenUnknown.RERUN) {
			refusals.add(Refusal.OUTCOME_UNKNOWN);
		}
		if (policy.whenStoreFails() == WhenStoreFails.REJECT
				|| (!burnt && policy.whenInProgress() == WhenInProgress.WAIT)) {
			refusals.add(Refusal.STORE_UNAVAILABLE);
		}
	}

}
