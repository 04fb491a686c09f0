package io.idempotent.boot;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Fails the start on an unsupported version of Spring Boot, before a missing class does.
 * Uses only what Spring Boot 3 has as well.
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
			throw new UnsupportedSpringBootException(found);
		}
	}

}
