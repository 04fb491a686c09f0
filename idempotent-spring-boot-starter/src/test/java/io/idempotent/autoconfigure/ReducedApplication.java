package io.idempotent.autoconfigure;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
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
				"--spring.main.banner-mode=off")) {
			System.out.println(Stream.of(context.getBeanDefinitionNames())
				.filter((name) -> name.startsWith("idempotency") || name.startsWith("httpIdempotency"))
				.sorted()
				.collect(Collectors.joining(" ", "Beans: ", "")));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Sources {

	}

}
