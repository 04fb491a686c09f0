package io.idempotent.steps.internal;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.method.json.CallJson;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * External steps in Redis, for applications without a database. Nobody lists them, and no
 * operation is called again.
 */
public final class RedisOperationSteps extends StoredOperationSteps {

	/**
	 * Creates the factory.
	 * @param redis the application's Redis
	 * @param keyPrefix the prefix of every key
	 * @param template knows the operations that run
	 * @param json writes results, or {@code null} for steps without results
	 * @param observer is told of each step that runs
	 */
	public RedisOperationSteps(RedisConnectionFactory redis, String keyPrefix, IdempotencyTemplate template,
			@Nullable CallJson json, StepObserver observer, StepSettings settings) {
		super(new RedisSteps(redis, keyPrefix, settings.retention()), null, template, json, observer, settings);
	}

}
