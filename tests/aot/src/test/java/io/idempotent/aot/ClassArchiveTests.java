package io.idempotent.aot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.aot.bank.BankApplication;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * An application ends by itself in a training run that exits when the context is
 * refreshed, leaves an archive of its classes, and starts from the archive.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class ClassArchiveTests {

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	private ClassPath jars;

	private Path directory;

	@BeforeAll
	void jars(@TempDir Path temporary) throws Exception {
		this.directory = temporary;
		this.jars = ClassPath.ofTests().ofJars(temporary);
	}

	@AfterAll
	void stop() {
		this.redis.close();
	}

	@Test
	void theApplicationStartsFromASharedArchive() throws Exception {
		Path archive = this.directory.resolve("application.jsa");
		train(javaHome(), "-XX:ArchiveClassesAtExit=" + archive);
		assertThat(archive).isNotEmptyFile();
		assertStarts(javaHome(), "-XX:SharedArchiveFile=" + archive);
	}

	@Test
	void theApplicationStartsFromAnAotCache() throws Exception {
		Path jdk = jdkWithAotCache();
		assumeThat(jdk).as("a JDK 25 or newer").isNotNull();
		Path cache = this.directory.resolve("application.aot");
		train(jdk, "-XX:AOTCacheOutput=" + cache);
		assertThat(cache).isNotEmptyFile();
		assertStarts(jdk, "-XX:AOTCache=" + cache);
	}

	private void train(Path jdk, String option) {
		try (JavaProcess training = start(jdk, List.of(option, "-Dspring.context.exit=onRefresh"))) {
			assertThat(training.awaitEnd()).as(training::log).isZero();
		}
	}

	private void assertStarts(Path jdk, String option) throws Exception {
		try (JavaProcess bank = start(jdk,
				List.of(option, "-Xlog:class+load:file=" + this.directory.resolve("classes.log")))) {
			AheadOfTime.awaitPort(bank, 1);
			try (Stream<String> loaded = Files.lines(this.directory.resolve("classes.log"))) {
				assertThat(loaded.filter((line) -> line.contains("io.idempotent.submission.IdempotencyGate ")))
					.isNotEmpty()
					.allSatisfy((line) -> assertThat(line).contains("shared objects file"));
			}
			assertThat(bank.terminate()).as("ended by SIGTERM").isEqualTo(143);
		}
	}

	private JavaProcess start(Path jdk, List<String> options) {
		List<String> command = new ArrayList<>(options);
		command.addAll(List.of("-cp", this.jars.toString(), BankApplication.class.getName(),
				"--spring.config.name=bank", "--spring.data.redis.port=" + this.redis.port()));
		return AheadOfTime.java(jdk, command);
	}

	private static Path javaHome() {
		return Path.of(System.getProperty("java.home"));
	}

	/**
	 * This JDK if it is new enough, or the one that the environment names as the CI does,
	 * or one where Linux distributions install it.
	 */
	private static Path jdkWithAotCache() throws Exception {
		if (Runtime.version().feature() >= 25) {
			return javaHome();
		}
		String named = System.getenv("JAVA_HOME_25");
		if (named != null) {
			return Path.of(named);
		}
		Path installed = Path.of("/usr/lib/jvm");
		if (!Files.isDirectory(installed)) {
			return null;
		}
		try (Stream<Path> jdks = Files.list(installed)) {
			return jdks.filter((jdk) -> jdk.getFileName().toString().contains("25"))
				.filter((jdk) -> Files.isExecutable(jdk.resolve("bin/java")))
				.findFirst()
				.orElse(null);
		}
	}

}
