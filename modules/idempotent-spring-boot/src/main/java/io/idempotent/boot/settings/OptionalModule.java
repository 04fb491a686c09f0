package io.idempotent.boot.settings;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Modules that an application chooses by a property. They are recognised by the name of a
 * class, so that a failure can name the missing one.
 */
public enum OptionalModule {

	REDIS("idempotent-redis", "io.idempotent.redis.RedisIdempotencyStore"),
	JDBC("idempotent-jdbc", "io.idempotent.jdbc.store.JdbcIdempotencyStore"),
	LOCK_REDIS("idempotent-lock-redis", "io.idempotent.lock.redis.RedissonLockEngine"),
	LOCK_JDBC("idempotent-lock-jdbc", "io.idempotent.lock.jdbc.JdbcLockEngine");

	private final String artifactId;

	private final String typeName;

	OptionalModule(String artifactId, String typeName) {
		this.artifactId = artifactId;
		this.typeName = typeName;
	}

	public boolean isPresent() {
		return isPresent(OptionalModule.class.getClassLoader());
	}

	public boolean isPresent(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent(this.typeName, classLoader);
	}

	/** The reason why something is missing, if the module is. */
	public String reason() {
		return "there is no module " + this.artifactId + " on the class path";
	}

	/** How to get the module. */
	public String action() {
		return "Add io.idempotent:" + this.artifactId;
	}

}
