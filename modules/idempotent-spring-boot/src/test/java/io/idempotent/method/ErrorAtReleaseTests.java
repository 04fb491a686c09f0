package io.idempotent.method;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.Idempotent;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.local.LocalLockEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A method has returned, and the release of its lock throws an {@code Error}: the
 * operation took effect, and never runs again.
 */
class ErrorAtReleaseTests {

	@Test
	void aMethodThatReturnedIsDone() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
					IdempotencyCallAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=faulty")
			.withBean(FaultyEngine.class)
			.withBean(Shop.class)
			.run((context) -> {
				Shop shop = context.getBean(Shop.class);
				String key = UUID.randomUUID().toString();
				assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> shop.sell(key));
				assertThat(shop.sell(key)).isEqualTo("sale 1");
			});
	}

	static class Shop {

		private final AtomicInteger sales = new AtomicInteger();

		@Idempotent(key = "#item")
		@DistributedLocked(name = "shop")
		public String sell(String item) {
			return "sale " + this.sales.incrementAndGet();
		}

	}

	static class FaultyEngine implements LockEngine {

		private final LocalLockEngine engine = new LocalLockEngine();

		private final AtomicInteger releases = new AtomicInteger();

		@Override
		public String name() {
			return "faulty";
		}

		@Override
		public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
			LockGrant grant = this.engine.acquire(request, wait);
			return (grant != null) ? new Grant(grant) : null;
		}

		private final class Grant implements LockGrant {

			private final LockGrant grant;

			Grant(LockGrant grant) {
				this.grant = grant;
			}

			@Override
			public long token() {
				return this.grant.token();
			}

			@Override
			public @Nullable Duration lease() {
				return this.grant.lease();
			}

			@Override
			public GrantState renew(Duration lease) {
				return this.grant.renew(lease);
			}

			@Override
			public GrantState release(Duration stayLocked) {
				if (FaultyEngine.this.releases.incrementAndGet() == 1) {
					throw new StackOverflowError();
				}
				return this.grant.release(stayLocked);
			}

		}

	}

}
