package io.idempotent.boot;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.boot.lock.LockAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A property that nothing reads stops the application.
 */
class StrictBindingTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(StartUpAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				LockAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.stor.type", "idempotent.nod", "idempotent.defaults.retension",
			"idempotent.store.jdbc.tabel", "idempotent.lock.engine", "idempotent.lock.jdbc.tabel",
			"idempotent.operations[orders.create].leese", "idempotent.operations.orders.create.lease",
			"idempotent.lock.locks.nightly.leese-time" })
	void aMisspeltNameIsRefusedWithoutItsValue(String property) {
		this.runner.withPropertyValues(property + "=s3cret")
			.run((context) -> assertThat(new StartUpFailureAnalyzer(null).analyze(context.getStartupFailure()))
				.satisfies((analysis) -> assertThat(analysis.getDescription())
					.startsWith("Nothing reads " + property + " (set by \"" + property + "\" from property source ")
					.doesNotContain("s3cret"))
				.satisfies((analysis) -> assertThat(analysis.getAction()).contains("Correct the name", "extension")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.store.nearCache.enabled=true", "idempotent.guard.receipt.enabled=true",
			"idempotent.initialize-schema=never", "other.stor.type=x" })
	void aPropertyOfThisLibraryOrOfOthersIsNot(String property) {
		this.runner.withPropertyValues(property).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aPropertyOfAnExtensionIsReadIfTheExtensionIsThere(@TempDir Path extension) throws IOException {
		ApplicationContextRunner extended = this.runner.withPropertyValues("idempotent.extension.enabled=true");
		extended.run((context) -> assertThat(context).getFailure()
			.hasStackTraceContaining("Nothing reads idempotent.extension.enabled"));
		Path list = extension.resolve("META-INF/spring/io.idempotent.boot.StrictBinding.imports");
		Files.createDirectories(list.getParent());
		Files.writeString(list, "idempotent.extension");
		try (URLClassLoader classLoader = new URLClassLoader(new URL[] { extension.toUri().toURL() })) {
			extended.withClassLoader(classLoader).run((context) -> assertThat(context).hasNotFailed());
		}
	}

	@Test
	void anEnvironmentVariableIsNot() {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace("systemEnvironment",
						new SystemEnvironmentPropertySource("systemEnvironment", Map.of("IDEMPOTENT_HOME", "/opt"))))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aStrictClassOfTheApplicationStaysStrict() {
		this.runner.withUserConfiguration(OfApplication.class)
			.withPropertyValues("strict.nme=x")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("[strict.nme]"));
	}

	@Test
	void anyOtherClassOfTheApplicationDoesNotBecomeStrict() {
		this.runner.withUserConfiguration(OfApplication.class)
			.withPropertyValues("lax.nme=x")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties({ Strict.class, Lax.class })
	static class OfApplication {

	}

	@ConfigurationProperties(prefix = "strict", ignoreUnknownFields = false)
	record Strict(@Nullable String name) {
	}

	@ConfigurationProperties("lax")
	record Lax(@Nullable String name) {
	}

}
