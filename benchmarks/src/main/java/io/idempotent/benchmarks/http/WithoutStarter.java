package io.idempotent.benchmarks.http;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.lock.RedissonClientAutoConfiguration;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * The same application with the same class path and nothing of the starter in effect.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = { DataSourceAutoConfiguration.class, GuardAutoConfiguration.class,
		IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
		IdempotencyWebMvcAutoConfiguration.class, LockAutoConfiguration.class, RedissonClientAutoConfiguration.class })
@Import(PlainHandlers.class)
class WithoutStarter {

	public static void main(String[] arguments) {
		Child.run(WithoutStarter.class, arguments);
	}

}
