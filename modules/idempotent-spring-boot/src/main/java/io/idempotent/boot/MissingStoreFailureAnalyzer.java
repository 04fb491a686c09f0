package io.idempotent.boot;

import io.idempotent.boot.IdempotentProperties.StoreType;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says how to get a store.
 */
class MissingStoreFailureAnalyzer extends AbstractFailureAnalyzer<MissingStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingStoreException cause) {
		return new FailureAnalysis(cause.getMessage(), action(cause.type())
				+ ", define an IdempotencyStore bean of your own, or, for a single node whose records may be lost with it, set "
				+ "idempotent.store.type=local", cause);
	}

	private static String action(StoreType type) {
		if (!MissingStoreException.hasModule(type)) {
			return "Add io.idempotent:" + MissingStoreException.module(type);
		}
		return (type == StoreType.JDBC)
				? "Add spring-boot-starter-jdbc with a driver and configure a database (spring.datasource.url)"
				: "Configure a Redis (spring.data.redis.host and .port, or .url)";
	}

}
