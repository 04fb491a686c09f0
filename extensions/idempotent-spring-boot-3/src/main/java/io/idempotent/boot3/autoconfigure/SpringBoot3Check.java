package io.idempotent.boot3.autoconfigure;

import java.util.Map;
import java.util.function.Predicate;

import io.idempotent.support.StartUpException;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.util.ClassUtils;

/**
 * Fails the start with what does not work on this Spring Boot 3, before a missing class
 * does.
 */
final class SpringBoot3Check implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	/** A class of each extension that needs libraries of Spring Framework 7. */
	private static final Map<String, String> NEEDS_4 = Map.of("idempotent-client",
			"io.idempotent.client.IdempotentClientInterceptor", "idempotent-graphql",
			"io.idempotent.graphql.GraphQlIdempotencyAutoConfiguration", "idempotent-lock-spring-integration",
			"io.idempotent.lock.integration.DistributedLockRegistry", "idempotent-spring-ai",
			"io.idempotent.ai.autoconfigure.ToolAutoConfiguration");

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		ClassLoader classLoader = event.getSpringApplication().getClassLoader();
		check(SpringBootVersion.getVersion(), (type) -> ClassUtils.isPresent(type, classLoader));
	}

	static void check(String found, Predicate<String> present) {
		if (found.matches("3\\.[0-4]\\..*")) {
			throw refused("idempotent-spring-boot", "3.5", found);
		}
		if (found.startsWith("3.")) {
			NEEDS_4.forEach((artifact, type) -> {
				if (present.test(type)) {
					throw refused(artifact, "4.0", found);
				}
			});
		}
	}

	private static StartUpException refused(String artifact, String needed, String found) {
		return new StartUpException(
				"io.idempotent:%s needs Spring Boot %s or newer, but this application runs on Spring Boot %s"
					.formatted(artifact, needed, found),
				"Upgrade Spring Boot, or remove %s".formatted(artifact), null);
	}

}
