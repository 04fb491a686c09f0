package io.idempotent.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Speaks with a server in its plain-text dialect, one connection per command.
 */
final class RedisConversation {

	private RedisConversation() {
	}

	/**
	 * Sends a command and reads its answer.
	 * @param port the server's port
	 * @param command the command as one line
	 * @return the lines of the answer, as the protocol has them
	 */
	static List<String> say(int port, String command) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(5000);
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
			// No more questions: a Sentinel knows no QUIT.
			socket.shutdownOutput();
			try (Stream<String> lines = reader(socket).lines()) {
				return lines.toList();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static BufferedReader reader(Socket socket) throws IOException {
		return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
	}

	static String directory(int port) {
		return say(port, "CONFIG GET dir").get(4);
	}

	static boolean answers(int port) {
		try {
			return say(port, "PING").contains("+PONG");
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

}
