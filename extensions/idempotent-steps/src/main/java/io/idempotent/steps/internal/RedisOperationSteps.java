package io.idempotent.steps.internal;

import java.util.function.BiConsumer;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.method.json.CallJson;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * External steps in Redis, for applications without a database. Nobody lists them, and no
 * operation is called again.
 */
public final class RedisOperationSteps extends StoredOperationSteps {

	private final RedisSteps store;

	private final ResumableMethods none;

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
		this(new RedisSteps(redis, keyPrefix, settings.retention()), template,
				new StepResults(json, settings.maxResult()), observer, settings);
	}

	private RedisOperationSteps(RedisSteps store, IdempotencyTemplate template, StepResults results,
			StepObserver observer, StepSettings settings) {
		super(template, results, observer, settings);
		this.store = store;
		this.none = new ResumableMethods(results);
	}

	@Override
	StepStore store() {
		return this.store;
	}

	@Override
	@Nullable TransactionalSteps transactional() {
		return null;
	}

	@Override
	BiConsumer<OperationKey, Owner> ended() {
		return (key, owner) -> {
		};
	}

	@Override
	public ResumableMethods resumable() {
		return this.none;
	}

}
