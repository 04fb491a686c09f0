package io.idempotent.benchmarks.http;

import java.util.concurrent.locks.Lock;

import io.idempotent.lock.DistributedLocked;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that counts the requests of each customer under a lock, in the
 * {@link LockWay} of its arguments.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class,
		excludeName = "com.pig4cloud.plugin.idempotent.IdempotentAutoConfiguration")
@Import({ LockedShop.Annotated.class, LockedShop.ByHand.class })
class LockedShop {

	static final int CUSTOMERS = 100_000;

	private static final String NAME = "customer";

	private static final long LEASE = 30_000;

	@Bean
	Counts counts() {
		return new Counts();
	}

	@Bean
	@ConditionalOnBooleanProperty("by-hand")
	Locks locks(@Value("${way}") LockWay way, @Value("${spring.data.redis.port}") int port,
			RedisConnectionFactory connections) {
		if (way == LockWay.REDISSON) {
			return redisson(port)::getLock;
		}
		RedisLockRegistry registry = new RedisLockRegistry(connections, NAME, LEASE);
		registry.setRedisLockType((way == LockWay.SPIN) ? RedisLockType.SPIN_LOCK : RedisLockType.PUB_SUB_LOCK);
		return registry::obtain;
	}

	/** With the settings of the starter. */
	private static RedissonClient redisson(int port) {
		Config config = new Config();
		config.setThreads(4);
		config.setNettyThreads(1);
		config.setCodec(StringCodec.INSTANCE);
		config.useSingleServer()
			.setAddress("redis://127.0.0.1:" + port)
			.setConnectionMinimumIdleSize(1)
			.setConnectionPoolSize(16);
		return Redisson.create(config);
	}

	public static void main(String[] arguments) {
		Child.run(LockedShop.class, arguments);
	}

	/** The locks by name. */
	@FunctionalInterface
	interface Locks {

		Lock get(String name);

	}

	/**
	 * Counts without any synchronisation: the sum is right only if one thread at a time
	 * counted for a customer.
	 */
	static final class Counts {

		private static final int STEPS = 10;

		private final long[] counts = new long[CUSTOMERS];

		long add(int customer) {
			for (int i = 0; i < STEPS; i++) {
				long count = this.counts[customer];
				Thread.onSpinWait();
				this.counts[customer] = count + 1;
			}
			return customer;
		}

		/** How many requests were counted, or a fraction if one was lost. */
		double requests() {
			long sum = 0;
			for (long count : this.counts) {
				sum += count;
			}
			return (double) sum / STEPS;
		}

	}

	/** With the starter. */
	@RestController
	@ConditionalOnBooleanProperty(name = "by-hand", havingValue = false, matchIfMissing = true)
	static class Annotated {

		private final Counts counts;

		Annotated(Counts counts) {
			this.counts = counts;
		}

		@GetMapping("/locked")
		@DistributedLocked(name = NAME, key = "#customer")
		public long locked(@RequestParam("customer") int customer) {
			return this.counts.add(customer);
		}

		@GetMapping("/counted")
		public double counted() {
			return this.counts.requests();
		}

	}

	/** By hand. */
	@RestController
	@ConditionalOnBooleanProperty("by-hand")
	static class ByHand {

		private final Counts counts;

		private final Locks locks;

		ByHand(Counts counts, Locks locks) {
			this.counts = counts;
			this.locks = locks;
		}

		@GetMapping("/locked")
		long locked(@RequestParam("customer") int customer) {
			Lock lock = this.locks.get(NAME + ":" + customer);
			lock.lock();
			try {
				return this.counts.add(customer);
			}
			finally {
				lock.unlock();
			}
		}

		@GetMapping("/counted")
		double counted() {
			return this.counts.requests();
		}

	}

}
