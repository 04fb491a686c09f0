package io.idempotent.webmvc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that says things no decent client says.
 */
final class RawHttp implements AutoCloseable {

	private static final Pattern LENGTH = Pattern.compile("content-length: *(\\d+)");

	private final Socket socket;

	private RawHttp(Socket socket) {
		this.socket = socket;
	}

	static RawHttp connect(TestServer server) throws IOException {
		Socket socket = new Socket(InetAddress.getByName("localhost"), server.port());
		socket.setSoTimeout(10_000);
		return new RawHttp(socket);
	}

	/**
	 * Sends the head of a request, in ISO-8859-1, the empty line included.
	 */
	RawHttp head(String requestLine, String... headers) throws IOException {
		return body(requestLine + "\r\nHost: localhost\r\n"
				+ ((headers.length > 0) ? String.join("\r\n", headers) + "\r\n\r\n" : "\r\n"));
	}

	RawHttp body(String text) throws IOException {
		this.socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
		this.socket.getOutputStream().flush();
		return this;
	}

	/**
	 * Says that nothing more will come, and still listens.
	 */
	RawHttp halfClose() throws IOException {
		this.socket.shutdownOutput();
		return this;
	}

	/**
	 * One answer: all of it where it tells its length, else up to its end.
	 */
	String answer() throws IOException {
		InputStream in = this.socket.getInputStream();
		ByteArrayOutputStream read = new ByteArrayOutputStream();
		int toCome = -1;
		for (int next = in.read(); next != -1; next = in.read()) {
			read.write(next);
			String soFar = (next == '\n' && toCome < 0) ? read.toString(StandardCharsets.UTF_8) : "";
			if (soFar.endsWith("\r\n\r\n")) {
				Matcher length = LENGTH.matcher(soFar.toLowerCase(Locale.ROOT));
				toCome = length.find() ? Integer.parseInt(length.group(1)) : Integer.MAX_VALUE;
				read.write(in.readNBytes(toCome));
				break;
			}
		}
		return read.toString(StandardCharsets.UTF_8);
	}

	static int status(String answer) {
		return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
