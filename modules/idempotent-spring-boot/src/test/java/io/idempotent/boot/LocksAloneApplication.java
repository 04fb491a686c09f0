package io.idempotent.boot;

import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that locks and submits nothing.
 */
final class LocksAloneApplication {

	private LocksAloneApplication() {
	}

	public static void main(String[] arguments) {
		SpringApplication application = new SpringApplication(Sources.class);
		try (ConfigurableApplicationContext context = application.run("--spring.main.banner-mode=off",
				"--spring.application.name=jobs", "--idempotent.lock.engines=local")) {
			System.out.println("Locked: " + context.getBean(Job.class).lockName());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Sources {

		@Bean
		Job job(DistributedLocks locks) {
			return new Job(locks);
		}

	}

	static class Job {

		private final DistributedLocks locks;

		Job(DistributedLocks locks) {
			this.locks = locks;
		}

		@DistributedLocked(name = "report")
		String lockName() {
			return this.locks.current().orElseThrow().qualifiedName();
		}

	}

}
