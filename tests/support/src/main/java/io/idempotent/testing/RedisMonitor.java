package io.idempotent.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import io.idempotent.embedded.EmbeddedRedis;

/**
 * Watches what clients send to a Redis, by {@code MONITOR}: unlike
 * {@code INFO commandstats} it tells a client's command from one inside a script.
 */
public final class RedisMonitor implements AutoCloseable {

	private final EmbeddedRedis redis;

	private final Socket socket;

	private final BufferedReader lines;

	private RedisMonitor(EmbeddedRedis redis) throws IOException {
		this.redis = redis;
		this.socket = new Socket(redis.host(), redis.port());
		this.socket.setSoTimeout(10_000);
		this.lines = new BufferedReader(
				new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1));
		send(this.socket, "MONITOR");
		this.lines.readLine();
	}

	public static RedisMonitor of(EmbeddedRedis redis) {
		try {
			return new RedisMonitor(redis);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The commands that clients have sent so far, by name.
	 */
	public Map<String, Integer> commands() {
		String mark = UUID.randomUUID().toString();
		Map<String, Integer> commands = new TreeMap<>();
		try (Socket marker = new Socket(this.redis.host(), this.redis.port())) {
			send(marker, "ECHO " + mark);
			String line;
			while ((line = this.lines.readLine()) != null && !line.contains(mark)) {
				if (!line.contains(" lua] ")) {
					String command = line.substring(line.indexOf("] \"") + 3);
					commands.merge(command.substring(0, command.indexOf('"')).toLowerCase(Locale.ROOT), 1,
							Integer::sum);
				}
			}
			return commands;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Asks the Redis for a number, on a connection of its own.
	 */
	public int ask(String command) {
		try (Socket connection = new Socket(this.redis.host(), this.redis.port())) {
			connection.setSoTimeout(10_000);
			send(connection, command);
			String reply = new BufferedReader(
					new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1))
				.readLine();
			return Integer.parseInt(reply.substring(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void send(Socket socket, String command) throws IOException {
		socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
		socket.getOutputStream().flush();
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
