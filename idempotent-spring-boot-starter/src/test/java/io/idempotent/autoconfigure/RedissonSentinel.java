package io.idempotent.autoconfigure;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.idempotent.embedded.EmbeddedRedis;

/**
 * A real sentinel that watches an embedded Redis under the name {@code orders}. Like that
 * Redis it ends with this JVM, whatever way the JVM goes.
 */
final class RedissonSentinel implements AutoCloseable {

	private static final String UNTIL_OUR_INPUT_ENDS = "\"$@\" </dev/null & server=$!; read -r nothing; kill -9 $server";

	private final int port;

	private final Process process;

	private RedissonSentinel(int port, Process process) {
		this.port = port;
		this.process = process;
	}

	/**
	 * Starts a sentinel and waits until it knows its master.
	 * @param directory an empty directory: a sentinel rewrites its configuration
	 * @param master the server to watch
	 * @param settings more lines of its configuration
	 * @return the sentinel
	 */
	static RedissonSentinel start(Path directory, EmbeddedRedis master, String... settings) throws IOException {
		int port = findFreePort();
		Path configuration = Files.write(directory.resolve("sentinel.conf"),
				List.of("port " + port, "bind 127.0.0.1", "dir " + directory,
						"sentinel monitor orders " + master.host() + " " + master.port() + " 1",
						String.join("\n", settings)));
		Process process = new ProcessBuilder("/bin/sh", "-c", UNTIL_OUR_INPUT_ENDS, "sentinel", executable(),
				configuration.toString(), "--sentinel")
			.redirectErrorStream(true)
			.start();
		awaitMonitoring(process);
		return new RedissonSentinel(port, process);
	}

	private static void awaitMonitoring(Process process) throws IOException {
		BufferedReader output = process.inputReader();
		StringBuilder said = new StringBuilder();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			if (line.contains("+monitor master orders")) {
				return;
			}
			said.append(line).append('\n');
		}
		throw new IllegalStateException("The sentinel ended. It said:\n" + said);
	}

	// The binary of the master it is going to watch: the one that is at hand for sure.
	private static String executable() {
		return ProcessHandle.current()
			.descendants()
			.map((process) -> process.info().command())
			.flatMap(Optional::stream)
			.filter((command) -> command.endsWith("/redis-server"))
			.findFirst()
			.orElseThrow();
	}

	private static int findFreePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	String address() {
		return "127.0.0.1:" + this.port;
	}

	@Override
	public void close() throws IOException {
		this.process.getOutputStream().close();
		this.process.onExit().join();
	}

}
