package io.idempotent.benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A connection that is kept alive, for one thread: just enough of HTTP/1.1 that the load
 * costs less than what it is put on.
 */
final class Connection implements AutoCloseable {

	private final Socket socket;

	private final InputStream in;

	private final byte[] buffer = new byte[64 * 1024];

	private int position;

	private int limit;

	Connection(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.in = this.socket.getInputStream();
	}

	/**
	 * Sends a request and waits for the whole answer.
	 * @param request the request
	 * @return the answer
	 * @throws IOException if the connection breaks
	 */
	Answer send(byte[] request) throws IOException {
		this.socket.getOutputStream().write(request);
		String head = head();
		int length = head.indexOf("\r\ncontent-length: ");
		byte[] body = (length >= 0) ? bytes(number(head, length + 18, 10)) : chunks();
		return new Answer(number(head, "http/1.1 ".length(), 10), head.contains("\r\nidempotency-replayed: true"),
				new String(body, StandardCharsets.UTF_8));
	}

	/** The head in lower case, with the line end before the empty line. */
	private String head() throws IOException {
		StringBuilder head = new StringBuilder(256);
		String line = line();
		while (!line.isEmpty()) {
			head.append(line).append("\r\n");
			line = line();
		}
		return head.toString().toLowerCase(Locale.ROOT);
	}

	private byte[] chunks() throws IOException {
		byte[] body = new byte[0];
		int length = number(line(), 0, 16);
		while (length > 0) {
			int end = body.length;
			body = Arrays.copyOf(body, end + length);
			System.arraycopy(bytes(length), 0, body, end, length);
			line();
			length = number(line(), 0, 16);
		}
		line();
		return body;
	}

	private String line() throws IOException {
		int scanned = this.position;
		while (true) {
			for (; scanned < this.limit; scanned++) {
				if (this.buffer[scanned] == '\n') {
					String line = new String(this.buffer, this.position, scanned - 1 - this.position,
							StandardCharsets.ISO_8859_1);
					this.position = scanned + 1;
					return line;
				}
			}
			scanned -= fill();
		}
	}

	private byte[] bytes(int length) throws IOException {
		while (this.limit - this.position < length) {
			fill();
		}
		byte[] bytes = Arrays.copyOfRange(this.buffer, this.position, this.position + length);
		this.position += length;
		return bytes;
	}

	/**
	 * Reads more.
	 * @return by how much what was there has moved to the front
	 */
	private int fill() throws IOException {
		int moved = this.position;
		System.arraycopy(this.buffer, this.position, this.buffer, 0, this.limit - this.position);
		this.limit -= moved;
		this.position = 0;
		int count = this.in.read(this.buffer, this.limit, this.buffer.length - this.limit);
		if (count <= 0) {
			throw new EOFException("The server closed the connection, or its answer is too large");
		}
		this.limit += count;
		return moved;
	}

	private static int number(String text, int from, int radix) {
		int end = from;
		while (end < text.length() && Character.digit(text.charAt(end), radix) >= 0) {
			end++;
		}
		return Integer.parseInt(text.substring(from, end), radix);
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/**
	 * An answer.
	 *
	 * @param status its status
	 * @param replayed whether it is a stored one
	 * @param body its body
	 */
	record Answer(int status, boolean replayed, String body) {

		/**
		 * Fails unless it is the answer that was expected.
		 * @param expected the body
		 * @param whetherReplayed whether it is a stored one
		 * @throws IOException if it is another
		 */
		void require(String expected, boolean whetherReplayed) throws IOException {
			if (this.status != 200 || this.replayed != whetherReplayed || !this.body.equals(expected)) {
				throw new IOException("Expected " + expected + ", but this came: " + this);
			}
		}

	}

}
