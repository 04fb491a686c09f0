package io.idempotent.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

import org.springframework.boot.SpringApplication;

/**
 * A shop in a process of its own, which does not outlive the test that started it.
 */
final class Node implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	private static final Pattern REDIS = Pattern.compile("--spring\\.data\\.redis\\.port=(\\d+)");

	private final Process process;

	private final Path log;

	private Node(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	static Node start(Path log, String... arguments) throws IOException {
		return start(log, Map.of(), arguments);
	}

	static Node start(Path log, Map<String, String> environment, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
		command.addAll(List.of("-cp", System.getProperty("java.class.path")));
		command.addAll(List.of(Main.class.getName(), "--server.port=0"));
		command.addAll(Arrays.asList(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(Redirect.to(log.toFile()));
		builder.environment().putAll(environment);
		Process process = builder.start();
		Node node = new Node(process, log);
		try {
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.until(() -> node.find(STARTED).find() || !process.isAlive());
			node.require(STARTED);
			return node;
		}
		catch (RuntimeException ex) {
			node.close();
			throw ex;
		}
	}

	Shop shop() {
		return new Shop(require(STARTED));
	}

	/**
	 * The port of the Redis that this node started for itself.
	 * @return the port, taken from where a person would find it
	 */
	int redisPort() {
		return require(REDIS);
	}

	boolean hasItsOwnRedis() {
		return find(REDIS).find();
	}

	String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private int require(Pattern pattern) {
		Matcher matcher = find(pattern);
		if (matcher.find()) {
			return Integer.parseInt(matcher.group(1));
		}
		throw new IllegalStateException("No '" + pattern + "' in\n" + log());
	}

	private Matcher find(Pattern pattern) {
		return pattern.matcher(log());
	}

	/**
	 * Kills the node and whatever it has in memory.
	 */
	@Override
	public void close() {
		try {
			this.process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Runs a shop until the standard input closes.
	 */
	static final class Main {

		private Main() {
		}

		public static void main(String[] arguments) throws IOException {
			SpringApplication.run(SampleOrderApplication.class, arguments);
			System.exit(System.in.read());
		}

	}

}
