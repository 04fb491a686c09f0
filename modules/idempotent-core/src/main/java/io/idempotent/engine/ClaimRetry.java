package io.idempotent.engine;

import java.time.Duration;

import io.idempotent.store.StoreUnavailableException;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.util.Assert;

/**
 * How often a claim is repeated that the store did not answer. The first repeat follows
 * at once and recognizes a claim whose reply was lost.
 *
 * @param maxRetries how often at most, from 1
 * @param delay the delay before each repeat after the first; the thread of the submission
 * waits
 * @param timeout how long after the first repeat a further one may still begin
 */
public record ClaimRetry(int maxRetries, Duration delay, Duration timeout) {

	/** One repeat, without delay. */
	public static final ClaimRetry ONCE = new ClaimRetry(1, Duration.ZERO, Duration.ofSeconds(1));

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if one of them is not possible
	 */
	public ClaimRetry {
		Assert.isTrue(maxRetries >= 1, "maxRetries must be at least 1: the first repeat reads back a lost reply");
		Assert.isTrue(!delay.isNegative(), "delay must not be negative");
		Assert.isTrue(timeout.toMillis() > 0, "timeout must be at least 1 ms");
	}

	/**
	 * Creates the template that runs the first repeat and, while it fails, the others.
	 */
	RetryTemplate template() {
		return new RetryTemplate(RetryPolicy.builder()
			.includes(StoreUnavailableException.class)
			.maxRetries(this.maxRetries - 1L)
			.delay(this.delay)
			.timeout(this.timeout)
			.build());
	}

}
