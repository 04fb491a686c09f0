package io.idempotent.boot;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.Idempotent;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that uses nothing but the starter, and tells which of its beans are
 * there.
 */
final class ReducedApplication {

	private ReducedApplication() {
	}

	public static void main(String[] arguments) {
		SpringApplication application = new SpringApplication(Sources.class);
		try (ConfigurableApplicationContext context = application.run("--idempotent.store.type=local",
				"--spring.main.banner-mode=off", "--idempotent.lock.engines=local")) {
			System.out.println(Stream.of(context.getBeanDefinitionNames())
				.filter((name) -> name.startsWith("idempotency") || name.startsWith("httpIdempotency")
						|| name.equals("distributedLocks"))
				.sorted()
				.collect(Collectors.joining(" ", "Beans: ", "")));
			Job job = context.getBean(Job.class);
			System.out.println("Locked: " + job.isLocked());
			job.count("k");
			job.count("k");
			context.getBean(IdempotencyTemplate.class).executeWithoutResult("count", "k", (ignored) -> job.count("l"));
			context.getBean(IdempotencyTemplate.class).executeWithoutResult("count", "k", (ignored) -> job.count("m"));
			System.out.println("Counted: " + job.counted());
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

		private int counted;

		Job(DistributedLocks locks) {
			this.locks = locks;
		}

		@DistributedLocked
		boolean isLocked() {
			return this.locks.current().isPresent();
		}

		@Idempotent(key = "#key")
		void count(String key) {
			this.counted++;
		}

		int counted() {
			return this.counted;
		}

	}

}
