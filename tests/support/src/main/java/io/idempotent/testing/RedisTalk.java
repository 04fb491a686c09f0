package io.idempotent.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.embedded.EmbeddedRedis;

import static org.awaitility.Awaitility.await;

/**
 * Asks a server what no client library asks, one connection per question.
 */
public final class RedisTalk {

	static final Duration PATIENCE = Duration.ofSeconds(30);

	private RedisTalk() {
	}

	/**
	 * Asks a question.
	 * @param server whom to ask
	 * @param command the question, as one line
	 * @return the answer, as the protocol has it
	 */
	public static String ask(EmbeddedRedis server, String command) {
		return ask(server.port(), command);
	}

	public static String ask(int port, String command) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(10_000);
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
			socket.shutdownOutput();
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static void tell(EmbeddedRedis server, String command) {
		String answer = ask(server, command);
		if (!answer.startsWith("+OK")) {
			throw new IllegalStateException(command + " was answered " + answer);
		}
	}

	/**
	 * A number that a server tells about itself.
	 * @param server whom to ask
	 * @param section the section of its {@code INFO}
	 * @param name the number's name
	 * @return the number, if it tells one
	 */
	public static Optional<Long> number(EmbeddedRedis server, String section, String name) {
		Matcher matcher = Pattern.compile("(?m)^" + name + ":(\\d+)").matcher(ask(server, "INFO " + section));
		return matcher.find() ? Optional.of(Long.valueOf(matcher.group(1))) : Optional.empty();
	}

	/** A server resets connections while it starts, stops or changes its role. */
	static void awaitAnswer(EmbeddedRedis server, String command, String regex) {
		Pattern pattern = Pattern.compile(regex);
		await().atMost(PATIENCE)
			.ignoreException(UncheckedIOException.class)
			.until(() -> ask(server, command), (answer) -> pattern.matcher(answer).find());
	}

}
