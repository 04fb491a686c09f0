package io.idempotent.boot.health;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.idempotent.WhenStoreFails;
import io.idempotent.engine.GateStatus;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.store.OperationKey;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Checks whether the store accepts writes, by issuing a key that is never claimed and
 * expires after a second. So a Redis that is full, or has become a replica, is not
 * healthy.
 */
final class IdempotentStoreHealthIndicator extends AbstractHealthIndicator {

	private static final Duration KEY_LIFE = Duration.ofSeconds(1);

	private final IdempotencyGate gate;

	private final String type;

	private final WhenStoreFails whenStoreFails;

	private final ProbeHealth<Boolean> probe;

	/**
	 * Creates the indicator.
	 * @param gate calls the store
	 * @param type the type of the store
	 * @param namespace the namespace of the application
	 * @param whenStoreFails the default of operations
	 */
	IdempotentStoreHealthIndicator(IdempotencyGate gate, String type, String namespace, WhenStoreFails whenStoreFails) {
		this.gate = gate;
		this.type = type;
		this.whenStoreFails = whenStoreFails;
		OperationKey key = OperationKey.of(namespace, "idempotent-health", List.of(), "");
		this.probe = new ProbeHealth<>("idempotent-store-health", () -> {
			gate.checkStore(key, KEY_LIFE);
			return true;
		});
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.withDetail("store", this.type);
		this.probe.check(builder, consequence());
		GateStatus status = this.gate.status();
		if (status.storeFails()) {
			builder.withDetail("refused", status.refused()).withDetail("unprotected", status.unprotected());
		}
		if (status.pendingWrites() > 0) {
			builder.withDetail("pendingWrites", status.pendingWrites());
		}
	}

	private String consequence() {
		boolean refuses = Objects.equals(this.whenStoreFails, WhenStoreFails.REJECT);
		String refused = "Submissions are refused with 503 store-unavailable where whenStoreFails is REJECT"
				+ (refuses ? " (the default here)" : "");
		String unprotected = "run without protection where it is PROCEED" + (refuses ? "" : " (the default here)");
		return refused + ", and " + unprotected + ". The outcomes of operations that run are written later";
	}

}
