package io.idempotent.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.idempotent.http.RawResponse.Framing;
import io.idempotent.http.RawResponse.Header;

/**
 * A client of HTTP/1 that hides nothing: framing, interim answers, trailers, and what
 * becomes of the connection.
 */
final class RawClient {

	private static final int PATIENCE = 20_000;

	private static final String NEXT = "GET /next HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n";

	private final Request request;

	private final InputStream in;

	private final Socket socket;

	private RawClient(Socket socket, Request request) throws IOException {
		this.socket = socket;
		this.request = request;
		this.in = new BufferedInputStream(socket.getInputStream());
	}

	static RawResponse send(int port, Request request) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(PATIENCE);
			socket.setTcpNoDelay(true);
			socket.getOutputStream().write(request.bytes());
			return new RawClient(socket, request).answer();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(request.method() + " " + request.path(), ex);
		}
	}

	private RawResponse answer() throws IOException {
		List<String> interim = new ArrayList<>();
		String status = line();
		while (status.matches("HTTP/1\\.1 1\\d\\d.*")) {
			interim.add(status);
			headers();
			status = line();
		}
		List<Header> headers = headers();
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		List<Header> trailers = new ArrayList<>();
		Framing framing = framing(status, headers);
		String connection;
		try {
			read(framing, headers, body, trailers);
			connection = (framing != Framing.CLOSE) ? next() : RawResponse.CLOSED;
		}
		catch (EOFException | SocketException | SocketTimeoutException ex) {
			framing = Framing.BROKEN;
			connection = ex.getClass().getSimpleName() + " within the body";
		}
		headers.removeIf((header) -> header.name().equalsIgnoreCase("Date"));
		return new RawResponse(interim, status, headers, framing, body.toString(StandardCharsets.ISO_8859_1), trailers,
				connection);
	}

	private Framing framing(String status, List<Header> headers) {
		if (this.request.isHead() || status.contains(" 204") || status.contains(" 304")) {
			return Framing.NONE;
		}
		if (!value(headers, "transfer-encoding").isEmpty()) {
			return Framing.CHUNKED;
		}
		return value(headers, "content-length").isEmpty() ? Framing.CLOSE : Framing.LENGTH;
	}

	private void read(Framing framing, List<Header> headers, ByteArrayOutputStream body, List<Header> trailers)
			throws IOException {
		switch (framing) {
			case LENGTH -> copy(Integer.parseInt(value(headers, "content-length")), body);
			case CHUNKED -> {
				for (int size = chunk(); size > 0; size = chunk()) {
					copy(size, body);
					line();
				}
				trailers.addAll(headers());
			}
			case CLOSE -> this.in.transferTo(body);
			default -> {
			}
		}
	}

	private int chunk() throws IOException {
		return Integer.parseInt(line(), 16);
	}

	private void copy(int length, ByteArrayOutputStream body) throws IOException {
		byte[] read = this.in.readNBytes(length);
		body.writeBytes(read);
		if (read.length < length) {
			throw new EOFException();
		}
	}

	/**
	 * Whether the connection takes another request, whose answer begins right here.
	 */
	private String next() throws IOException {
		try {
			this.socket.getOutputStream().write(NEXT.getBytes(StandardCharsets.ISO_8859_1));
			String status = line();
			return status.matches("HTTP/1\\.1 200.*") ? RawResponse.STAYS_OPEN : "goes on with [" + status + "]";
		}
		catch (EOFException | SocketException ex) {
			return RawResponse.CLOSED;
		}
	}

	private List<Header> headers() throws IOException {
		List<Header> headers = new ArrayList<>();
		for (String line = line(); !line.isEmpty(); line = line()) {
			int colon = line.indexOf(':');
			headers.add(new Header(line.substring(0, colon), line.substring(colon + 1).strip()));
		}
		return headers;
	}

	private static String value(List<Header> headers, String name) {
		return headers.stream()
			.filter((header) -> header.name().toLowerCase(Locale.ROOT).equals(name))
			.map(Header::value)
			.findFirst()
			.orElse("");
	}

	private String line() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
			if (next == -1) {
				throw new EOFException("after [" + line + "]");
			}
			line.append((char) next);
		}
		return line.toString().stripTrailing();
	}

}
