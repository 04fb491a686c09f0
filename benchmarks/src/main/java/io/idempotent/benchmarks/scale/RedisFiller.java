package io.idempotent.benchmarks.scale;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.records.RedisStore;

/**
 * Copies one record to many keys, in one stream to which Redis does not reply.
 */
final class RedisFiller {

	private static final int BUFFER = 1 << 20;

	private static final byte[] SUFFIX = suffix();

	private RedisFiller() {
	}

	/**
	 * Fills an empty Redis.
	 * @param redis the Redis
	 * @param size how many keys, from zero
	 * @throws IOException if it cannot be filled
	 */
	static void fill(RedisStore redis, long size) throws IOException {
		redis.records().complete(redis.records().claim(Records.key(0)), Filled.ANSWER, Records.RETENTION);
		byte[] record = Objects
			.requireNonNull(redis.connection().stringCommands().get(ascii(RedisStore.name(Records.key(0)))));
		try (Socket socket = new Socket(redis.server().host(), redis.server().port())) {
			OutputStream out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
			out.write(command("CLIENT", "REPLY", "OFF"));
			for (long number = 1; number < size; number++) {
				set(out, RedisStore.name(Records.key(number)), record);
			}
			out.write(command("CLIENT", "REPLY", "ON"));
			out.write(command("DBSIZE"));
			out.flush();
			BufferedReader in = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
			String answer = in.readLine() + in.readLine();
			if (!answer.equals("+OK:" + size)) {
				throw new IllegalStateException("Redis has not " + size + " keys; it said " + answer);
			}
		}
	}

	private static void set(OutputStream out, String key, byte[] record) throws IOException {
		out.write(ascii("*5\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$" + record.length + "\r\n"));
		out.write(record);
		out.write(SUFFIX);
	}

	private static byte[] suffix() {
		String retention = String.valueOf(Records.RETENTION.toMillis());
		return ascii("\r\n$2\r\nPX\r\n$" + retention.length() + "\r\n" + retention + "\r\n");
	}

	private static byte[] command(String... words) {
		StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
		for (String word : words) {
			command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
		}
		return ascii(command.toString());
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
