package io.idempotent.autoconfigure;

import java.time.Duration;

import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import org.jspecify.annotations.Nullable;

/**
 * What can be set for a single operation, and wins over its annotation.
 */
public class OperationProperties {

	/**
	 * Where the key comes from.
	 */
	private @Nullable KeySource source;

	/**
	 * How long a claim lives without renewal.
	 */
	private @Nullable Duration lease;

	/**
	 * How long a finished operation is remembered.
	 */
	private @Nullable Duration retention;

	/**
	 * How long a duplicate waits at most for a running operation.
	 */
	private @Nullable Duration waitTimeout;

	/**
	 * What a duplicate of a finished operation gets.
	 */
	private @Nullable WhenCompleted whenCompleted;

	/**
	 * What a duplicate of a running operation gets.
	 */
	private @Nullable WhenInProgress whenInProgress;

	/**
	 * What happens after the owner of an operation fell silent.
	 */
	private @Nullable WhenUnknown whenUnknown;

	/**
	 * What becomes of the claim when the operation throws or answers 5xx.
	 */
	private @Nullable WhenFailed whenFailed;

	/**
	 * What a submission does while the store cannot be reached.
	 */
	private @Nullable WhenStoreFails whenStoreFails;

	public @Nullable KeySource getSource() {
		return this.source;
	}

	public void setSource(@Nullable KeySource source) {
		this.source = source;
	}

	public @Nullable Duration getLease() {
		return this.lease;
	}

	public void setLease(@Nullable Duration lease) {
		this.lease = lease;
	}

	public @Nullable Duration getRetention() {
		return this.retention;
	}

	public void setRetention(@Nullable Duration retention) {
		this.retention = retention;
	}

	public @Nullable Duration getWaitTimeout() {
		return this.waitTimeout;
	}

	public void setWaitTimeout(@Nullable Duration waitTimeout) {
		this.waitTimeout = waitTimeout;
	}

	public @Nullable WhenCompleted getWhenCompleted() {
		return this.whenCompleted;
	}

	public void setWhenCompleted(@Nullable WhenCompleted whenCompleted) {
		this.whenCompleted = whenCompleted;
	}

	public @Nullable WhenInProgress getWhenInProgress() {
		return this.whenInProgress;
	}

	public void setWhenInProgress(@Nullable WhenInProgress whenInProgress) {
		this.whenInProgress = whenInProgress;
	}

	public @Nullable WhenUnknown getWhenUnknown() {
		return this.whenUnknown;
	}

	public void setWhenUnknown(@Nullable WhenUnknown whenUnknown) {
		this.whenUnknown = whenUnknown;
	}

	public @Nullable WhenFailed getWhenFailed() {
		return this.whenFailed;
	}

	public void setWhenFailed(@Nullable WhenFailed whenFailed) {
		this.whenFailed = whenFailed;
	}

	public @Nullable WhenStoreFails getWhenStoreFails() {
		return this.whenStoreFails;
	}

	public void setWhenStoreFails(@Nullable WhenStoreFails whenStoreFails) {
		this.whenStoreFails = whenStoreFails;
	}

}
