package io.idempotent.conformance.internal;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import io.idempotent.conformance.internal.Request.Framing;
import io.idempotent.conformance.internal.Request.Header;

/**
 * A client that writes HTTP/1.1 requests exactly as given, each on its own connection.
 */
public final class Wire {

	private final Duration timeout;

	public Wire(Duration timeout) {
		this.timeout = timeout;
	}

	/** Returns the response; its status is 0 if the framing says that none is read. */
	public Response send(Request request) throws IOException {
		try (Socket socket = connect(request.url())) {
			socket.setSoTimeout((int) this.timeout.toMillis());
			OutputStream out = socket.getOutputStream();
			out.write(head(request));
			out.write(body(request));
			out.flush();
			if (request.framing() == Framing.CUT || request.framing() == Framing.UNREAD) {
				return new Response(0, List.of(), new byte[0]);
			}
			return read(new BufferedInputStream(socket.getInputStream()), request.method().equals("HEAD"));
		}
		catch (NumberFormatException ex) {
			throw new IOException("the response is malformed", ex);
		}
	}

	private Socket connect(URI url) throws IOException {
		boolean secure = "https".equals(url.getScheme());
		int port = (url.getPort() >= 0) ? url.getPort() : (secure ? 443 : 80);
		Socket plain = new Socket();
		plain.connect(new InetSocketAddress(url.getHost(), port), (int) this.timeout.toMillis());
		return secure ? secured(plain, url.getHost(), port) : plain;
	}

	private static Socket secured(Socket plain, String host, int port) throws IOException {
		SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
		SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
		SSLParameters parameters = socket.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		socket.setSSLParameters(parameters);
		return socket;
	}

	private static byte[] head(Request request) {
		URI url = request.url();
		String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
		StringBuilder head = new StringBuilder(request.method()).append(' ')
			.append(path)
			.append((url.getRawQuery() != null) ? "?" + url.getRawQuery() : "")
			.append(" HTTP/1.1\r\nHost: ")
			.append(url.getRawAuthority())
			.append("\r\nConnection: close\r\n");
		for (Header header : request.headers()) {
			head.append(header.name()).append(": ").append(header.value()).append("\r\n");
		}
		if (request.framing() == Framing.CHUNKED) {
			head.append("Transfer-Encoding: chunked\r\n");
		}
		else if (request.body().length > 0 || request.method().equals("POST")) {
			head.append("Content-Length: ").append(request.body().length).append("\r\n");
		}
		return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
	}

	private static byte[] body(Request request) throws IOException {
		byte[] body = request.body();
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		switch (request.framing()) {
			case LENGTH, UNREAD -> out.write(body);
			case CUT -> out.write(body, 0, body.length / 2);
			case CHUNKED -> {
				int middle = body.length / 2;
				chunk(body, 0, middle, out);
				chunk(body, middle, body.length - middle, out);
				out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			}
		}
		return out.toByteArray();
	}

	private static void chunk(byte[] body, int from, int length, ByteArrayOutputStream out) throws IOException {
		out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
		out.write(body, from, length);
		out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
	}

	private static Response read(InputStream in, boolean head) throws IOException {
		int status;
		List<Header> headers;
		do {
			String[] line = line(in).split(" ", 3);
			if (line.length < 2 || !line[0].startsWith("HTTP/1.")) {
				throw new IOException("the status line is malformed: " + String.join(" ", line));
			}
			status = Integer.parseInt(line[1]);
			headers = headers(in);
		}
		while (status / 100 == 1);
		Response response = new Response(status, headers, new byte[0]);
		boolean empty = head || status == 204 || status == 304;
		return new Response(status, headers, empty ? new byte[0] : body(in, response));
	}

	private static List<Header> headers(InputStream in) throws IOException {
		List<Header> headers = new ArrayList<>();
		for (String line = line(in); !line.isEmpty(); line = line(in)) {
			int colon = line.indexOf(':');
			if (colon > 0) {
				headers.add(new Header(line.substring(0, colon), line.substring(colon + 1).strip()));
			}
		}
		return headers;
	}

	private static byte[] body(InputStream in, Response response) throws IOException {
		String encoding = response.header("Transfer-Encoding");
		if (encoding != null && encoding.toLowerCase(Locale.ROOT).contains("chunked")) {
			return chunks(in);
		}
		String length = response.header("Content-Length");
		return (length != null) ? exactly(in, Integer.parseInt(length)) : in.readAllBytes();
	}

	private static byte[] chunks(InputStream in) throws IOException {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		while (true) {
			int length = Integer.parseInt(line(in).replaceAll(";.*", "").strip(), 16);
			if (length == 0) {
				headers(in);
				return body.toByteArray();
			}
			body.write(exactly(in, length));
			line(in);
		}
	}

	private static byte[] exactly(InputStream in, int length) throws IOException {
		byte[] bytes = in.readNBytes(length);
		if (bytes.length < length) {
			throw new EOFException("the response ended after " + bytes.length + " of " + length + " bytes");
		}
		return bytes;
	}

	private static String line(InputStream in) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int c = in.read(); c != '\n'; c = in.read()) {
			if (c < 0) {
				throw new EOFException("the connection was closed");
			}
			line.write(c);
		}
		return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
	}

}
