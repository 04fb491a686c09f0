package io.idempotent.switching;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/**
 * A command line application that runs one operation under one lock.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class OneLock {

	/** What it says when it has held the lock. */
	static final String DONE = "The lock was held";

	public static void main(String[] arguments) {
		application().run(arguments);
	}

	static SpringApplicationBuilder application() {
		return new SpringApplicationBuilder(OneLock.class).web(WebApplicationType.NONE)
			.properties("spring.application.name=command-line", "spring.main.banner-mode=off");
	}

	@Bean
	CommandLineRunner underOneLock(DistributedLocks locks, IdempotencyTemplate operations) {
		return (arguments) -> {
			DistributedLock lock = locks.get("job");
			lock.lock();
			try {
				operations.executeWithoutResult("job", System.nanoTime(), (run) -> System.out.println(DONE));
			}
			finally {
				lock.unlock();
			}
		};
	}

}
