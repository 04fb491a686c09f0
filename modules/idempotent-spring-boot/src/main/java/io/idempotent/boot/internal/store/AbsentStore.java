package io.idempotent.boot.internal.store;

import java.time.Duration;
import java.util.Locale;

import io.idempotent.boot.internal.properties.StoreProperties.StoreType;
import io.idempotent.boot.settings.OptionalModule;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Replaces the store in an application without operations, which has the web module only
 * for the responses of its locks. An annotated operation fails the start, see
 * {@link GateLifecycle}; other code that needs the store fails when it uses it.
 */
public final class AbsentStore implements IdempotencyStore {

	private static final String LOCKS = "io.idempotent.lock.DistributedLocks";

	/** Whether there are locks, and neither a module for a store nor a chosen type. */
	public static boolean isExpected(Environment environment, @Nullable ClassLoader classLoader) {
		return environment.getProperty("idempotent.store.type") == null && ClassUtils.isPresent(LOCKS, classLoader)
				&& !OptionalModule.REDIS.isPresent(classLoader) && !OptionalModule.JDBC.isPresent(classLoader);
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		throw missing(StoreType.REDIS);
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		throw missing(StoreType.REDIS);
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		throw missing(StoreType.REDIS);
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		throw missing(StoreType.REDIS);
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		throw missing(StoreType.REDIS);
	}

	public static StartUpException missing(StoreType type) {
		OptionalModule module = (type == StoreType.REDIS) ? OptionalModule.REDIS : OptionalModule.JDBC;
		String reason = switch (type) {
			case JDBC -> "there is no DataSource bean, or spring-boot-jdbc is not on the class path";
			case RECEIPT -> "nothing keeps receipts";
			default -> "there is no RedisConnectionFactory bean";
		};
		String action = switch (type) {
			case JDBC -> "Add spring-boot-starter-jdbc with a driver and configure a database (spring.datasource.url)";
			case RECEIPT -> "Set idempotent.guard.enabled=true, and add spring-boot-starter-jdbc with a driver";
			default -> "Configure a Redis (spring.data.redis.host and .port, or .url)";
		};
		return new StartUpException(
				"The " + type.name().toLowerCase(Locale.ROOT)
						+ " store was chosen for the records of idempotent operations (idempotent.store.type), but "
						+ (module.isPresent() ? reason : module.reason()),
				(module.isPresent() ? action : module.action())
						+ ", define an IdempotencyStore bean, or, for a single node that may lose its records when it stops,"
						+ " set idempotent.store.type=local",
				null);
	}

}
