package io.idempotent.applications;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Gradle resolves for the dependency of README runs.
 */
@Tag("slow")
@EnabledIf(value = "hasGradle", disabledReason = "There is no Gradle (Debian: gradle)")
class GradleTests {

	private static final String BUILD = """
			apply plugin: 'java'
			repositories {
				maven { url '%s' }
				mavenCentral()
			}
			dependencies {
				%s
			}
			task classPath {
				doLast { println configurations.runtimeClasspath.asPath }
			}
			""";

	private static final Pattern DEPENDENCY = Pattern
		.compile("<groupId>(.+)</groupId>\\s*<artifactId>(.+)</artifactId>\\s*<version>(.+)</version>");

	@TempDir
	private Path project;

	static boolean hasGradle() {
		try {
			return run(new ProcessBuilder("gradle", "--version")).contains("Gradle");
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

	@Test
	void aMethodIsLockedAndEachOperationRunsOnce() throws Exception {
		String classPath = classPath();
		assertThat(classPath).contains("idempotent-lock-redis");
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			List<String> command = new ArrayList<>(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
			command.addAll(JavaProcess.FAST_START);
			command
				.addAll(List.of("-cp", Path.of("target/it/smallest/target/classes").toAbsolutePath() + ":" + classPath,
						"com.example.JobApplication", "--idempotent.store.type=redis",
						"--idempotent.lock.engines=redisson", "--spring.data.redis.port=" + redis.port()));
			String output = run(new ProcessBuilder(command));
			assertThat(output.lines()).contains("Locked: jobs:lock:report", "Counted: 2");
		}
	}

	@Test
	void anApplicationStaysOnItsVersionsOfSpring() throws Exception {
		String classPath = classPath("implementation 'org.springframework.boot:spring-boot-starter-web:3.5.15'");
		assertThat(classPath.split(":")).anyMatch((jar) -> jar.endsWith("/spring-boot-3.5.15.jar"))
			.noneMatch((jar) -> jar.matches(".*/spring-(boot|core|web|data)[a-z-]*-[47]\\..*"));
	}

	private String classPath(String... others) throws IOException {
		String dependencies = Stream.concat(Stream.of(dependency()), Stream.of(others))
			.collect(Collectors.joining("\n"));
		Files.writeString(this.project.resolve("build.gradle"),
				BUILD.formatted(Path.of("target/local-repository").toUri(), dependencies));
		Files.writeString(this.project.resolve("settings.gradle"), "");
		return run(new ProcessBuilder("gradle", "-q", "--no-daemon", "--gradle-user-home",
				Path.of("target/gradle").toAbsolutePath().toString(), "classPath")
			.directory(this.project.toFile()));
	}

	private static String dependency() throws IOException {
		Matcher dependency = DEPENDENCY.matcher(Files.readString(Path.of("../../README.md")));
		assertThat(dependency.find()).isTrue();
		return "implementation '%s:%s:%s'".formatted(dependency.group(1), dependency.group(2), dependency.group(3));
	}

	private static String run(ProcessBuilder command) {
		command.environment().put("JAVA_HOME", System.getProperty("java.home"));
		command.environment().put("GRADLE_OPTS", String.join(" ", JavaProcess.FAST_START));
		try (JavaProcess process = JavaProcess.start(command.redirectErrorStream(true))) {
			return String.join("\n", process.finish());
		}
	}

}
