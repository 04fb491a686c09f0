package io.idempotent.boot;

import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.IdempotencyTemplate;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application that submits and never locks.
 */
final class OperationsAloneApplication {

	private OperationsAloneApplication() {
	}

	public static void main(String[] arguments) {
		SpringApplication application = new SpringApplication(Sources.class);
		try (ConfigurableApplicationContext context = application.run("--spring.main.banner-mode=off",
				"--spring.application.name=jobs", "--idempotent.store.type=local")) {
			AtomicInteger count = new AtomicInteger();
			for (int i = 0; i < 2; i++) {
				context.getBean(IdempotencyTemplate.class)
					.executeWithoutResult("count", "k", (ignored) -> count.incrementAndGet());
			}
			System.out.println("Counted: " + count);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Sources {

	}

}
