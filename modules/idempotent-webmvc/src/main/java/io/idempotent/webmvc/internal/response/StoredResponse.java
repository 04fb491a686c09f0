package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.idempotent.webmvc.internal.response.OperationHeaders.Header;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * An HTTP response in the binary format of records: version, form, status, headers, body.
 *
 * @param form how the response ended
 * @param status the status
 * @param headers the headers, in order; a name may occur more than once
 * @param body the body, or the message of an error
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredResponse(Form form, int status, List<Header> headers, byte[] body) {

	private static final int VERSION = 2;

	private static final int MAX_SHORT = 0xffff;

	/** Version, form, status, number of headers. */
	private static final int HEAD = 2 + 2 * Short.BYTES;

	/** Per header: whether it replaces others, and two lengths. */
	private static final int HEADER = 1 + 2 * Short.BYTES;

	/**
	 * How a response ended.
	 */
	public enum Form {

		/** With its body. */
		BODY,

		/** With {@code sendError}: the container renders a page. */
		ERROR,

		/** With {@code sendRedirect}: the container may complete the location. */
		REDIRECT;

		/** Part of the format: the codes never change. */
		byte code() {
			return switch (this) {
				case BODY -> 0;
				case ERROR -> 1;
				case REDIRECT -> 2;
			};
		}

		static @Nullable Form of(byte code) {
			return switch (code) {
				case 0 -> BODY;
				case 1 -> ERROR;
				case 2 -> REDIRECT;
				default -> null;
			};
		}

	}

	/**
	 * The media type of the body.
	 * @return the header, or {@code null} if it was not stored
	 */
	public @Nullable String contentType() {
		return this.headers.stream()
			.filter((header) -> header.name().equalsIgnoreCase(HttpHeaders.CONTENT_TYPE))
			.findFirst()
			.map(Header::value)
			.orElse(null);
	}

	/**
	 * Writes the stored response.
	 * @param response the response to write it to
	 * @param replayedHeader the header that marks a replay
	 * @param head whether the request is a HEAD request, which receives no length of an
	 * empty body
	 * @throws IOException if the client has disconnected
	 */
	public void writeTo(HttpServletResponse response, String replayedHeader, boolean head) throws IOException {
		response.setStatus(this.status);
		this.headers.forEach((header) -> write(header, response));
		response.setHeader(replayedHeader, "true");
		if (this.form == Form.ERROR) {
			String message = new String(this.body, StandardCharsets.UTF_8);
			new ResponseEnd.ErrorPage(this.status, message.isEmpty() ? null : message).send(response);
			return;
		}
		if (this.form == Form.BODY && this.body.length > 0) {
			response.setContentLength(this.body.length);
		}
		if (this.body.length > 0) {
			response.getOutputStream().write(this.body);
		}
		if (this.form == Form.BODY && this.body.length == 0) {
			endWithoutBody(response, head);
		}
		if (this.form == Form.REDIRECT) {
			new ResponseEnd.Redirect(this.status, location(), this.body.length == 0).send(response);
		}
	}

	/**
	 * Sends the response at once, as a container does when a body is complete: what
	 * filters add afterwards is part of the stored response and must not be added again.
	 */
	private void endWithoutBody(HttpServletResponse response, boolean head) throws IOException {
		if (!head && this.status != HttpServletResponse.SC_NO_CONTENT
				&& this.status != HttpServletResponse.SC_RESET_CONTENT) {
			response.setContentLength(0);
		}
		response.flushBuffer();
	}

	private static void write(Header header, HttpServletResponse response) {
		if (header.name().equals(HttpHeaders.CONTENT_TYPE)) {
			response.setContentType(header.value());
		}
		else if (header.set()) {
			// Replaces what a filter may have set before.
			response.setHeader(header.name(), header.value());
		}
		else {
			response.addHeader(header.name(), header.value());
		}
	}

	private String location() {
		return this.headers.stream()
			.filter((header) -> header.name().equalsIgnoreCase(HttpHeaders.LOCATION))
			.findFirst()
			.map(Header::value)
			.orElse("");
	}

	/**
	 * Encodes the response.
	 * @throws IllegalArgumentException if a header is too long
	 */
	public byte[] encode() {
		byte[][] texts = new byte[2 * this.headers.size()][];
		int size = HEAD + this.headers.size() * HEADER + this.body.length;
		for (int i = 0; i < texts.length; i++) {
			Header header = this.headers.get(i / 2);
			texts[i] = ((i % 2 == 0) ? header.name() : header.value()).getBytes(StandardCharsets.UTF_8);
			size += texts[i].length;
		}
		ByteBuffer out = ByteBuffer.allocate(size).put((byte) VERSION).put(this.form.code());
		putShort(out, this.status);
		putShort(out, this.headers.size());
		for (int i = 0; i < texts.length; i++) {
			if (i % 2 == 0) {
				out.put((byte) (this.headers.get(i / 2).set() ? 1 : 0));
			}
			putShort(out, texts[i].length);
			out.put(texts[i]);
		}
		return out.put(this.body).array();
	}

	private static void putShort(ByteBuffer out, int value) {
		if (value > MAX_SHORT) {
			throw new IllegalArgumentException("A response cannot be stored: the length or number of its headers is "
					+ value + ", but at most " + MAX_SHORT + " fits the format");
		}
		out.putShort((short) value);
	}

	/**
	 * Decodes a response.
	 * @param bytes what {@link #encode()} returned
	 * @throws IllegalArgumentException if it is of another version or corrupt
	 */
	public static StoredResponse decode(byte[] bytes) {
		ByteBuffer in = ByteBuffer.wrap(bytes);
		try {
			int version = in.get() & 0xff;
			if (version != VERSION) {
				throw new IllegalArgumentException(
						"A stored response has format version " + version + ", but this node reads only version "
								+ VERSION + ": it was written by another version of this library");
			}
			Form form = Form.of(in.get());
			int status = in.getShort() & MAX_SHORT;
			if (form == null || !canHave(status)) {
				throw new IllegalArgumentException(
						"A stored response is corrupt: its form is " + form + " and its status " + status);
			}
			int count = in.getShort() & MAX_SHORT;
			List<Header> headers = new ArrayList<>(Math.min(count, 16));
			for (int i = 0; i < count; i++) {
				boolean set = in.get() != 0;
				headers.add(new Header(text(bytes, in), text(bytes, in), set));
			}
			return new StoredResponse(form, status, headers, Arrays.copyOfRange(bytes, in.position(), bytes.length));
		}
		catch (BufferUnderflowException ex) {
			throw new IllegalArgumentException(
					"A stored response is corrupt: it ends after " + bytes.length + " bytes, within its headers", ex);
		}
	}

	static boolean canHave(int status) {
		return status >= 200 && status <= 599;
	}

	private static String text(byte[] bytes, ByteBuffer in) {
		int length = in.getShort() & MAX_SHORT;
		if (length > in.remaining()) {
			throw new BufferUnderflowException();
		}
		String text = new String(bytes, in.position(), length, StandardCharsets.UTF_8);
		in.position(in.position() + length);
		return text;
	}

}
