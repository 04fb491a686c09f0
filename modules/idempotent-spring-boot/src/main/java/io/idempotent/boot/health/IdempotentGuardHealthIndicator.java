package io.idempotent.boot.health;

import java.util.List;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the tables of receipts and fences can be read.
 */
final class IdempotentGuardHealthIndicator extends AbstractHealthIndicator {

	private final List<String> names;

	private final ProbeHealth<Boolean> probe;

	IdempotentGuardHealthIndicator(List<Check> checks) {
		this.names = checks.stream().map(Check::name).toList();
		this.probe = new ProbeHealth<>("idempotent-guard-health", () -> {
			checks.forEach((check) -> check.statement().run());
			return true;
		});
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.withDetail("guards", this.names);
		this.probe.check(builder, "Transactions of operations that leave a receipt, and of fenced locks, are rolled "
				+ "back; unknown outcomes are not resolved by receipts");
	}

	/**
	 * Whether a table in the guarded database can be used.
	 *
	 * @param name what the table is for
	 * @param statement reads from it, and throws if that fails
	 */
	record Check(String name, Runnable statement) {
	}

}
