package io.idempotent.benchmarks.records;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.embedded.EmbeddedRedis;

/**
 * Asks a server what no client library asks, one connection per question.
 */
public final class RedisTalk {

	private static final int TIMEOUT_MILLIS = 60_000;

	private RedisTalk() {
	}

	/**
	 * Asks a question.
	 * @param server whom to ask
	 * @param command the question, as one line
	 * @return the answer, as the protocol has it
	 * @throws IOException if there is none
	 */
	public static String ask(EmbeddedRedis server, String command) throws IOException {
		try (Socket socket = new Socket(server.host(), server.port())) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
			socket.shutdownOutput();
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	/**
	 * Commands.
	 * @param server whom to command
	 * @param command the command, as one line
	 * @throws IOException if there is no answer
	 * @throws IllegalStateException if the answer is not {@code OK}
	 */
	public static void tell(EmbeddedRedis server, String command) throws IOException {
		String answer = ask(server, command);
		if (!answer.startsWith("+OK")) {
			throw new IllegalStateException(command + " was answered " + answer);
		}
	}

	/**
	 * Asks for a number.
	 * @param server whom to ask
	 * @param command the question, as one line
	 * @param before what stands before the number, as a regular expression
	 * @return the number, or zero if the answer has none
	 * @throws IOException if there is no answer
	 */
	public static long number(EmbeddedRedis server, String command, String before) throws IOException {
		Matcher matcher = Pattern.compile("(?m)" + before + "(\\d+)").matcher(ask(server, command));
		return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
	}

}
