package io.idempotent.switching;

import java.util.stream.Stream;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockOptions;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * A command line application that runs one operation under one lock.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class OneLock {

	/** What it says when it has held the lock. */
	static final String HELD = "The lock was held";

	/** Lets it take the lock of each of its engines instead. */
	static final String EACH_ENGINE = "one-lock.of-each-engine";

	public static void main(String[] arguments) {
		application().run(arguments);
	}

	static SpringApplicationBuilder application() {
		return new SpringApplicationBuilder(OneLock.class).web(WebApplicationType.NONE)
			.properties("spring.application.name=command-line", "spring.main.banner-mode=off");
	}

	@Bean
	CommandLineRunner underOneLock(DistributedLocks locks, IdempotencyTemplate operations, Environment environment) {
		return (arguments) -> options(environment).forEach((options) -> {
			DistributedLock lock = locks.get("job", options);
			lock.lock();
			try {
				operations.executeWithoutResult("job", System.nanoTime(), (run) -> System.out.println(HELD));
			}
			finally {
				lock.unlock();
			}
		});
	}

	private static Stream<LockOptions> options(Environment environment) {
		if (!environment.getProperty(EACH_ENGINE, boolean.class, false)) {
			return Stream.of(LockOptions.DEFAULTS);
		}
		return Stream.of(environment.getRequiredProperty("idempotent.lock.engines").split(","))
			.map(LockOptions.DEFAULTS::withEngine);
	}

}
