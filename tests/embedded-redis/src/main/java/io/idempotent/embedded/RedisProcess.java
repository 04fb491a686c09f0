package io.idempotent.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One life of a server, from its start to its end, in a temporary directory of its own.
 */
final class RedisProcess {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	// A session of its own keeps the signals of a terminal away. Our child never leads a
	// process group, so setsid does not fork.
	private static final String LAUNCH = "command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

	private final Process supervisor;

	private final int port;

	private RedisProcess(Process supervisor, int port) {
		this.supervisor = supervisor;
		this.port = port;
	}

	/**
	 * Starts a server and waits until it accepts connections.
	 * @param port the port
	 * @param role what the server is there for
	 * @return the running server
	 */
	static RedisProcess start(int port, Role role) {
		try {
			Path directory = Files.createTempDirectory("embedded-redis-");
			Path log = Files.createFile(directory.resolve("log"));
			// Stays readable when the supervisor removes the directory of a failed
			// server.
			try (ServerLog output = ServerLog.open(log)) {
				RedisProcess process = new RedisProcess(launch(directory, log, port, role), port);
				process.awaitReady(output);
				return process;
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The embedded Redis cannot be started", ex);
		}
	}

	private static Process launch(Path directory, Path log, int port, Role role) throws IOException {
		try {
			Path executable = RedisBinary.forThisMachine().unpackInto(directory);
			return new ProcessBuilder(command(directory, executable, port, role)).directory(directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(Redirect.appendTo(log.toFile()))
				.start();
		}
		catch (IOException | RuntimeException ex) {
			TemporaryDirectory.delete(directory);
			throw ex;
		}
	}

	private static List<String> command(Path directory, Path executable, int port, Role role) throws IOException {
		List<String> command = new ArrayList<>();
		command.addAll(List.of("/bin/sh", "-c", LAUNCH, "launch"));
		command.addAll(List.of("/bin/sh", "-c", supervisorScript(), "supervise", directory.toString()));
		command.add(executable.toString());
		command.addAll(role.arguments(directory));
		// The last word on what the rest of this class relies on.
		command.addAll(List.of("--bind", Ports.LOOPBACK, "--port", String.valueOf(port)));
		command.addAll(List.of("--daemonize", "no", "--loglevel", "notice", "--logfile", ""));
		return command;
	}

	private static String supervisorScript() throws IOException {
		try (InputStream script = RedisProcess.class.getResourceAsStream("supervise.sh")) {
			return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	// The server's own word: an answer to PING could come from somebody else's server.
	private void awaitReady(ServerLog output) {
		boolean decided = Await.until(() -> output.saysReady() || !isAlive(), TIMEOUT);
		if (output.saysReady() && isAlive()) {
			return;
		}
		kill();
		String message = (decided ? "The embedded Redis ended" : "The embedded Redis was not ready within " + TIMEOUT)
				+ " on port " + this.port + ". It said:\n" + output.text();
		throw output.saysPortTaken() ? new PortTakenException(message) : new IllegalStateException(message);
	}

	boolean isAlive() {
		return this.supervisor.isAlive();
	}

	void kill() {
		boolean alive = isAlive();
		try {
			this.supervisor.getOutputStream().close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The embedded Redis cannot be stopped", ex);
		}
		// Who listens there after a server that had ended before is none of our business.
		if (alive && !Await.until(() -> !isAlive() && Ports.isFree(this.port), TIMEOUT)) {
			throw new IllegalStateException("The embedded Redis on port " + this.port + " does not end");
		}
	}

}
