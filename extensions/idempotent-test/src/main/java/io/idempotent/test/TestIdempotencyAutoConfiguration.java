package io.idempotent.test;

import io.idempotent.IdempotencyListener;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.submission.receipt.Receipts;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The store and the lock engine of {@link AutoConfigureIdempotency}. Imported by that
 * annotation alone.
 */
@AutoConfiguration(beforeName = { "io.idempotent.boot.TestSliceAutoConfiguration",
		"io.idempotent.boot.IdempotencyAutoConfiguration", "io.idempotent.boot.lock.LockAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class TestIdempotencyAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyStore.class)
	@ConditionalOnMissingBean(IdempotencyStore.class)
	static class StoreConfiguration {

		@Bean("io.idempotent.idempotencyStore")
		TestIdempotencyStore idempotencyStore(ObjectProvider<Receipts> receipts) {
			return new TestIdempotencyStore(receipts::getIfAvailable);
		}

		@Bean("io.idempotent.testIdempotencyStoreListener")
		IdempotencyListener testIdempotencyStoreListener(TestIdempotencyStore store) {
			return store::remember;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LockEngine.class)
	static class LockConfiguration {

		@Bean("io.idempotent.localLockEngine")
		@ConditionalOnMissingBean(name = "io.idempotent.localLockEngine")
		TestLockEngine localLockEngine() {
			return new TestLockEngine();
		}

	}

}
