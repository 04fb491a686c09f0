package io.idempotent.boot.internal.start;

import java.util.function.Supplier;

import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Fails the start on an unsupported version of Spring Boot, before a missing class does.
 * Uses only classes that Spring Boot 3 also has.
 */
class SpringBootVersionCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	private final Supplier<@Nullable String> version;

	SpringBootVersionCheck() {
		this(SpringBootVersion::getVersion);
	}

	SpringBootVersionCheck(Supplier<@Nullable String> version) {
		this.version = version;
	}

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		String found = this.version.get();
		if (found != null && found.matches("([0-3]|4\\.0)\\..*")) {
			throw new StartUpException(
					"io.idempotent:idempotent-spring-boot needs Spring Boot 4.1 or newer, but this application runs on Spring Boot "
							+ found,
					"Upgrade the application to Spring Boot 4.1 or newer, or remove idempotent-spring-boot and the starter that brings it",
					null);
		}
	}

}
