package io.idempotent.boot;

import java.time.Duration;

import io.idempotent.boot.StoreProperties.StoreType;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Takes the place of the store in an application that has the web module for the answers
 * of its locks, and no operations. An annotated operation fails the start, see
 * {@link GateLifecycle}; other code that needs the store fails when it does.
 */
final class AbsentStore implements IdempotencyStore {

	private static final String LOCKS = "io.idempotent.lock.DistributedLocks";

	/**
	 * Whether an application has locks, and neither a module for a store nor the property
	 * that chooses one.
	 * @param environment the environment
	 * @param classLoader loads the classes of the application
	 * @return whether it can do without a store
	 */
	static boolean isExpected(Environment environment, @Nullable ClassLoader classLoader) {
		return environment.getProperty("idempotent.store.type") == null && ClassUtils.isPresent(LOCKS, classLoader)
				&& !OptionalModule.REDIS.isPresent(classLoader) && !OptionalModule.JDBC.isPresent(classLoader);
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		throw missing();
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		throw missing();
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		throw missing();
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		throw missing();
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		throw missing();
	}

	static MissingStoreException missing() {
		return new MissingStoreException(StoreType.REDIS);
	}

}
