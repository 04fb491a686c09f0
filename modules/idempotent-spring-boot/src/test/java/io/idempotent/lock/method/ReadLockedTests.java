package io.idempotent.lock.method;

import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods and templates that take read locks.
 */
class ReadLockedTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class))
		.withPropertyValues("idempotent.lock.engines=local", "idempotent.lock.wait-time=0")
		.withBean(Prices.class);

	private final ExecutorService other = Executors.newSingleThreadExecutor();

	@AfterEach
	void stop() {
		this.other.shutdownNow();
	}

	@Test
	void methodsThatReadRunTogether() {
		this.runner.run((context) -> {
			Prices prices = context.getBean(Prices.class);
			Future<LockMode> reader = this.other.submit(prices::meet);
			assertThat(prices.meet()).isEqualTo(LockMode.READ);
			assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(LockMode.READ);
		});
	}

	@Test
	void aMethodThatReadsExcludesOneThatWrites() {
		this.runner.run((context) -> {
			DistributedLock reader = context.getBean(DistributedLocks.class).readWrite("prices").readLock();
			this.other.submit(reader::lock).get(20, TimeUnit.SECONDS);
			assertThatExceptionOfType(LockNotObtainedException.class).isThrownBy(context.getBean(Prices.class)::write);
			this.other.submit(reader::unlock).get(20, TimeUnit.SECONDS);
			assertThat(context.getBean(Prices.class).write()).isEqualTo(LockMode.WRITE);
		});
	}

	@Test
	void aTemplateTakesReadLocks() {
		this.runner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class)
				.withOptions(LockOptions.DEFAULTS.withMode(LockMode.READ));
			DistributedLock reader = context.getBean(DistributedLocks.class).readWrite("prices").readLock();
			this.other.submit(reader::lock).get(20, TimeUnit.SECONDS);
			assertThat(template.<LockMode, RuntimeException>execute("prices",
					() -> context.getBean(DistributedLocks.class).current().orElseThrow().mode()))
				.isEqualTo(LockMode.READ);
		});
	}

	@Test
	void anEngineWithoutReadLocksFailsTheStart() {
		this.runner.withBean(LockEngine.class, Exclusive::new)
			.withPropertyValues("idempotent.lock.engines=exclusive")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("'exclusive' has no read locks", "redisson, zookeeper, jdbc or local"));
	}

	@Test
	void aFencedReaderFailsTheStart() {
		this.runner.withBean(Fenced.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.satisfies((failure) -> assertThat(failure.getMessage()).contains("its mode is READ")));
	}

	@Test
	void theFailureNamesTheMethod() {
		this.runner.withBean(Fenced.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(StartUpException.class.getName())
				.hasStackTraceContaining("Fenced.read"));
	}

	static class Prices {

		private final DistributedLocks locks;

		private final CyclicBarrier both = new CyclicBarrier(2);

		Prices(DistributedLocks locks) {
			this.locks = locks;
		}

		@DistributedLocked(name = "prices", mode = LockMode.READ)
		LockMode meet() throws Exception {
			this.both.await(20, TimeUnit.SECONDS);
			return this.locks.current().orElseThrow().mode();
		}

		@DistributedLocked(name = "prices")
		LockMode write() {
			return this.locks.current().orElseThrow().mode();
		}

	}

	static class Fenced {

		@DistributedLocked(name = "prices", mode = LockMode.READ, fenced = true)
		void read() {
		}

	}

	/**
	 * An engine without shared locks.
	 */
	static class Exclusive implements LockEngine {

		private final LockEngine locks = new LocalLockEngine();

		@Override
		public String name() {
			return "exclusive";
		}

		@Override
		public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
			return this.locks.acquire(request, wait);
		}

	}

}
