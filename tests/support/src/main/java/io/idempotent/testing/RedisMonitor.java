package io.idempotent.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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
		this.socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
		this.lines.readLine();
	}

	public static RedisMonitor of(EmbeddedRedis redis) {
		return Unchecked.call(() -> new RedisMonitor(redis));
	}

	/**
	 * The commands that clients have sent so far, by name.
	 */
	public Map<String, Integer> commands() {
		String mark = UUID.randomUUID().toString();
		Map<String, Integer> commands = new TreeMap<>();
		RedisTalk.ask(this.redis, "ECHO " + mark);
		Unchecked.run(() -> {
			String line;
			while ((line = this.lines.readLine()) != null && !line.contains(mark)) {
				if (!line.contains(" lua] ")) {
					String command = line.substring(line.indexOf("] \"") + 3);
					commands.merge(command.substring(0, command.indexOf('"')).toLowerCase(Locale.ROOT), 1,
							Integer::sum);
				}
			}
		});
		return commands;
	}

	/**
	 * Asks the Redis for a number, on a connection of its own.
	 */
	public int ask(String command) {
		return Integer.parseInt(RedisTalk.ask(this.redis, command).substring(1).strip());
	}

	@Override
	public void close() {
		Unchecked.run(this.socket::close);
	}

}
