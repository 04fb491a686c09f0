package io.idempotent.steps.internal;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.method.json.CallJson;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * External steps in Redis, for applications without a database. Nobody lists them, and no
 * operation is called again.
 */
public final class RedisOperationSteps implements OperationStepsFactory {

	private final StoredOperationSteps steps;

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
		this.steps = new StoredOperationSteps(new RedisSteps(redis, keyPrefix, settings.retention()), null,
				(key, owner) -> {
				}, template, json, observer, settings);
	}

	@Override
	public OperationSteps current() {
		return this.steps.current();
	}

	@Override
	public OperationSteps of(IdempotencyContext context) {
		return this.steps.of(context);
	}

}
