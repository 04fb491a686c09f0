package io.idempotent.method;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.Idempotent;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.local.LocalLockEngine;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.spy;

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
			.withBean(LockEngine.class, ErrorAtReleaseTests::faultyEngine)
			.withBean(Shop.class)
			.run((context) -> {
				Shop shop = context.getBean(Shop.class);
				String key = UUID.randomUUID().toString();
				assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> shop.sell(key));
				assertThat(shop.sell(key)).isEqualTo("sale 1");
			});
	}

	/** Its first release throws an error. */
	private static LockEngine faultyEngine() {
		LockEngine engine = spy(new LocalLockEngine());
		willReturn("faulty").given(engine).name();
		try {
			willAnswer((acquire) -> {
				LockGrant grant = spy((LockGrant) acquire.callRealMethod());
				willThrow(StackOverflowError.class).willCallRealMethod().given(grant).release(any());
				return grant;
			}).willCallRealMethod().given(engine).acquire(any(), any());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return engine;
	}

	static class Shop {

		private final AtomicInteger sales = new AtomicInteger();

		@Idempotent(key = "#item")
		@DistributedLocked(name = "shop")
		public String sell(String item) {
			return "sale " + this.sales.incrementAndGet();
		}

	}

}
