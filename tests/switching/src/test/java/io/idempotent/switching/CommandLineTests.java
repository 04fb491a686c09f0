package io.idempotent.switching;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No thread of the library, or of its clients, keeps an application alive that has
 * nothing else to do.
 */
class CommandLineTests {

	private static final int PATIENCE_SECONDS = 60;

	private static LockServers servers;

	@TempDir
	private Path directory;

	@BeforeAll
	static void start() {
		servers = new LockServers();
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "redisson", "quorum", "zookeeper", "jdbc", "local", "redisson,jdbc" })
	void anApplicationEndsWhenMainReturns(String engines) throws Exception {
		List<String> properties = new ArrayList<>(servers.properties(engines));
		properties.add("--idempotent.lock.switching.enabled=" + engines.contains(","));
		Path log = this.directory.resolve("log");
		Process application = run(log, properties);
		try {
			boolean ended = application.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
			assertThat(log).content().contains(OneLock.DONE);
			assertThat(ended).as("The application ends by itself").isTrue();
			assertThat(application.exitValue()).isZero();
		}
		finally {
			application.destroyForcibly().waitFor();
		}
	}

	private static Process run(Path log, List<String> properties) throws IOException {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), OneLock.class.getName()));
		command.addAll(properties);
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Files.createFile(log).toFile())
			.start();
	}

}
