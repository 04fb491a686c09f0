package io.idempotent.health.autoconfigure;

/** A part of the application's health. An exception counts as down. */
@FunctionalInterface
public interface HealthCheck {

	/** The bean that checks the store. */
	String STORE = "io.idempotent.storeHealthCheck";

	/** The bean that checks the tables of receipts and fences. */
	String GUARD = "io.idempotent.guardHealthCheck";

	/** The bean that checks the lock engine in force. */
	String LOCK_ENGINE = "io.idempotent.lockEngineHealthCheck";

	HealthReport report();

}
