package io.idempotent.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * A server never outlives its JVM, however that ends.
 */
class LifeAndDeathTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@Test
	void serverDiesWithItsKilledJvm() throws Exception {
		Process jvm = startJvm();
		int port = readPort(jvm);
		Path directory = Path.of(RedisConversation.directory(port));
		assertThat(directory).exists();
		jvm.destroyForcibly();
		assertGone(port, directory);
	}

	@EnabledOnOs(OS.LINUX)
	@ParameterizedTest
	@ValueSource(strings = { "KILL", "TERM", "INT" })
	void serverDiesWithItsKilledProcessGroup(String signal) throws Exception {
		assumeFalse(signal.equals("INT") && isInterruptIgnored(),
				"SIGINT is ignored here, as in a shell's background job, and the child would inherit that");
		Process jvm = startJvm("setsid");
		int port = readPort(jvm);
		Path directory = Path.of(RedisConversation.directory(port));
		signalGroup(jvm, signal);
		assertGone(port, directory);
		assertThat(jvm.waitFor()).isNotZero();
	}

	@Test
	void serverDiesWithAJvmThatEndsWithoutClosing() throws Exception {
		Process jvm = startJvm();
		int port = readPort(jvm);
		Path directory = Path.of(RedisConversation.directory(port));
		jvm.getOutputStream().close();
		assertThat(jvm.waitFor()).isZero();
		assertGone(port, directory);
	}

	private static void assertGone(int port, Path directory) {
		assertThat(Await.until(() -> Ports.isFree(port) && !Files.exists(directory), SOON)).isTrue();
	}

	private static Process startJvm(String... wrapper) throws IOException {
		List<String> java = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), Main.class.getName());
		return new ProcessBuilder(Stream.concat(Stream.of(wrapper), java.stream()).toList())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
	}

	private static int readPort(Process jvm) throws IOException {
		BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8);
		return Integer.parseInt(output.readLine());
	}

	/** The second bit of the mask of ignored signals. */
	private static boolean isInterruptIgnored() throws IOException {
		try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
			return status.filter((line) -> line.startsWith("SigIgn:"))
				.map((line) -> new BigInteger(line.substring("SigIgn:".length()).strip(), 16))
				.anyMatch((ignored) -> ignored.testBit(1));
		}
	}

	private static void signalGroup(Process leader, String signal) throws Exception {
		String kill = "kill -" + signal + " -" + leader.pid();
		assertThat(new ProcessBuilder("/bin/sh", "-c", kill).inheritIO().start().waitFor()).isZero();
	}

	/**
	 * Starts a server, tells its port, and lives until its standard input closes.
	 */
	static final class Main {

		private Main() {
		}

		public static void main(String[] arguments) throws IOException {
			EmbeddedRedis redis = EmbeddedRedis.start();
			System.out.println(redis.port());
			System.exit((System.in.read() == -1) ? 0 : 1);
		}

	}

}
