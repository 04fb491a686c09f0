package io.idempotent.applications;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.idempotent.embedded.EmbeddedRedis;
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

	@TempDir
	private Path project;

	static boolean hasGradle() throws InterruptedException {
		try {
			return run(new ProcessBuilder("gradle", "--version")).contains("Gradle");
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Test
	void aMethodIsLockedAndEachOperationRunsOnce() throws Exception {
		Files.writeString(this.project.resolve("build.gradle"),
				BUILD.formatted(Path.of("target/local-repository").toUri(), dependency()));
		Files.writeString(this.project.resolve("settings.gradle"), "");
		String classPath = run(new ProcessBuilder("gradle", "-q", "--no-daemon", "--gradle-user-home",
				Path.of("target/gradle").toAbsolutePath().toString(), "classPath")
			.directory(this.project.toFile()));
		assertThat(classPath).contains("idempotent-lock-redisson");
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			String output = run(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-cp", Path.of("target/it/smallest/target/classes").toAbsolutePath() + ":" + classPath,
					"com.example.JobApplication", "--idempotent.store.type=redis", "--idempotent.lock.engines=redisson",
					"--spring.data.redis.port=" + redis.port()));
			assertThat(output.lines()).contains("Locked: jobs:lock:report", "Counted: 2");
		}
	}

	/** The line of README. */
	private static String dependency() throws IOException {
		return Files.readAllLines(Path.of("../../README.md"))
			.stream()
			.filter((line) -> line.startsWith("implementation("))
			.findFirst()
			.orElseThrow();
	}

	private static String run(ProcessBuilder command) throws IOException, InterruptedException {
		try (ApplicationProcess process = ApplicationProcess.start(command)) {
			return String.join("\n", process.finish());
		}
	}

}
