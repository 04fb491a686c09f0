package io.idempotent.webmvc;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.idempotent.webmvc.OperationHeaders.Header;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * An HTTP answer in the format of our records: a version, the form, the status, the
 * headers, the body.
 *
 * @param form how it ends
 * @param status the status
 * @param headers the headers, in order; a name may occur more than once
 * @param body the body; of an error its message
 */
@SuppressWarnings("ArrayRecordComponent")
record StoredResponse(Form form, int status, List<Header> headers, byte[] body) {

	private static final int VERSION = 2;

	private static final int MAX_SHORT = 0xffff;

	/** Version, form, status, number of headers. */
	private static final int HEAD = 2 + 2 * Short.BYTES;

	/** Of a header: whether it was set, and two lengths. */
	private static final int HEADER = 1 + 2 * Short.BYTES;

	/**
	 * How an answer ends.
	 */
	enum Form {

		/** By its body. */
		BODY,

		/** By {@code sendError}, which lets the container make a page. */
		ERROR,

		/** By {@code sendRedirect}, which lets the container complete the location. */
		REDIRECT;

		/** A format: the codes never change. */
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
	 * Gives the answer again.
	 * @param response the response to write it to
	 * @param replayedHeader the header that marks it
	 * @param head whether a HEAD request is answered, which is not told the length of a
	 * body that it does not get
	 * @throws IOException if the client is gone
	 */
	void writeTo(HttpServletResponse response, String replayedHeader, boolean head) throws IOException {
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
	 * Sends an answer at once, as a container does when a body is complete. What a filter
	 * adds when the operation has returned is in it already, and is not added again.
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
			// In the place of what a filter may have set before.
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
	 * Writes the answer down.
	 * @return its bytes
	 * @throws IllegalArgumentException if a header is too long for that
	 */
	byte[] encode() {
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
			throw new IllegalArgumentException("A header of an answer is too long to be stored: " + value);
		}
		out.putShort((short) value);
	}

	/**
	 * Reads an answer back.
	 * @param bytes what {@link #encode()} wrote
	 * @return the answer
	 * @throws IllegalArgumentException if it is of another version or corrupt
	 */
	static StoredResponse decode(byte[] bytes) {
		ByteBuffer in = ByteBuffer.wrap(bytes);
		try {
			int version = in.get() & 0xff;
			if (version != VERSION) {
				throw new IllegalArgumentException("A stored answer has format version " + version + ", but only "
						+ VERSION + " is known here: it was written by another version of this library");
			}
			Form form = Form.of(in.get());
			int status = in.getShort() & MAX_SHORT;
			if (form == null || !canHave(status)) {
				throw new IllegalArgumentException(
						"A stored answer is corrupt: form " + form + ", status " + status + " cannot be sent");
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
			throw new IllegalArgumentException("A stored answer is corrupt", ex);
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
