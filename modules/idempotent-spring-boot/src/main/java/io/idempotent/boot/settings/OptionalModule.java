package io.idempotent.boot.settings;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Modules that an application chooses by a property. They are recognised by the name of a
 * class, so that a failure can name the missing one.
 */
public enum OptionalModule {

	/** Records in Redis. */
	REDIS("idempotent-redis", "io.idempotent.redis.RedisIdempotencyStore"),

	/** Records and receipts in a database. */
	JDBC("idempotent-jdbc", "io.idempotent.jdbc.store.JdbcIdempotencyStore"),

	/** Locks in Redis. */
	LOCK_REDISSON("idempotent-lock-redisson", "io.idempotent.lock.redisson.RedissonLockEngine"),

	/** Locks on several Redis servers. */
	LOCK_QUORUM("idempotent-lock-quorum", "io.idempotent.lock.quorum.QuorumLockEngine"),

	/** Locks in ZooKeeper. */
	LOCK_ZOOKEEPER("idempotent-lock-zookeeper", "io.idempotent.lock.zookeeper.ZooKeeperLockEngine"),

	/** Locks and fences in a database. */
	LOCK_JDBC("idempotent-lock-jdbc", "io.idempotent.lock.jdbc.JdbcLockEngine");

	private final String artifactId;

	private final String typeName;

	OptionalModule(String artifactId, String typeName) {
		this.artifactId = artifactId;
		this.typeName = typeName;
	}

	/**
	 * Whether the module is on the class path.
	 */
	public boolean isPresent() {
		return isPresent(OptionalModule.class.getClassLoader());
	}

	public boolean isPresent(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent(this.typeName, classLoader);
	}

	/**
	 * The reason why something is missing, if the module is.
	 * @return as in "there is no DataSource bean"
	 */
	public String reason() {
		return "there is no module " + this.artifactId + " on the class path";
	}

	/**
	 * How to get the module.
	 * @return a sentence without its full stop
	 */
	public String action() {
		return "Add io.idempotent:" + this.artifactId;
	}

}
