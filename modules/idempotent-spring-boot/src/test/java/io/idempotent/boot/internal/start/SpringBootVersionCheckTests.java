package io.idempotent.boot.internal.start;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.Mockito.mock;

/**
 * An application on an older Spring Boot is told so, rather than of a class that is
 * missing.
 */
class SpringBootVersionCheckTests {

	/** The build puts the jars there. */
	private static final File SPRING_BOOT_3 = Path.of("target", "spring-boot-3").toFile();

	@Test
	void springBoot3IsRefusedWithTheRequiredVersion() throws Exception {
		assumeTrue(SPRING_BOOT_3.isDirectory(), "Maven copies Spring Boot 3 to " + SPRING_BOOT_3);
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp",
				String.join(File.pathSeparator, classes(SpringBootVersionCheck.class), classes(StartUpException.class),
						classes(Application.class), SPRING_BOOT_3 + File.separator + "*"),
				Application.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isNotZero();
		assertThat(output)
			.contains("needs Spring Boot 4.1 or newer, but this application runs on Spring Boot 3.5", "Upgrade")
			.doesNotContain("generate bean name", "NoClassDefFoundError");
	}

	private static String classes(Class<?> type) throws Exception {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
	}

	@Test
	void onlyOlderVersionsAreRefused() {
		for (String version : List.of("2.7.18", "3.5.6", "4.0.3")) {
			assertThatExceptionOfType(StartUpException.class)
				.isThrownBy(() -> new SpringBootVersionCheck(() -> version).onApplicationEvent(mock()))
				.withMessageContaining(version);
		}
		for (String version : List.of("4.1.1", "4.2.0-SNAPSHOT", "10.0.0")) {
			assertThatCode(() -> new SpringBootVersionCheck(() -> version).onApplicationEvent(mock()))
				.doesNotThrowAnyException();
		}
		assertThatCode(() -> new SpringBootVersionCheck(() -> null).onApplicationEvent(mock()))
			.doesNotThrowAnyException();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		public static void main(String[] args) {
			SpringApplication.run(Application.class, args);
		}

	}

}
