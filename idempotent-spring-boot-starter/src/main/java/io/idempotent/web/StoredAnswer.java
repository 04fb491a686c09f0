package io.idempotent.web;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;

/**
 * An HTTP answer in the format of our records: a version, the status, the allowed
 * headers, the body.
 *
 * @param status the status
 * @param headers the headers, in order; a name may occur more than once
 * @param body the body
 */
@SuppressWarnings("ArrayRecordComponent")
record StoredAnswer(int status, List<Header> headers, byte[] body) {

	private static final int VERSION = 1;

	private static final int MAX_SHORT = 0xffff;

	/**
	 * Takes an answer from a response that is complete.
	 * @param response the response
	 * @param names the headers to take, beside the content type
	 * @param body its body
	 * @return the answer
	 */
	static StoredAnswer of(HttpServletResponse response, List<String> names, byte[] body) {
		List<Header> headers = new ArrayList<>(2);
		String contentType = response.getContentType();
		if (contentType != null) {
			headers.add(new Header(HttpHeaders.CONTENT_TYPE, contentType));
		}
		for (String name : names) {
			// Most are absent, and to ask for one value is cheaper than for all.
			if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) && response.getHeader(name) != null) {
				response.getHeaders(name).forEach((value) -> headers.add(new Header(name, value)));
			}
		}
		return new StoredAnswer(response.getStatus(), headers, body);
	}

	/**
	 * Gives the answer again.
	 * @param response the response to write it to
	 * @param replayedHeader the header that marks it
	 * @throws IOException if the client is gone
	 */
	void writeTo(HttpServletResponse response, String replayedHeader) throws IOException {
		response.setStatus(this.status);
		Set<String> seen = new HashSet<>();
		for (Header header : this.headers) {
			if (header.name().equals(HttpHeaders.CONTENT_TYPE)) {
				response.setContentType(header.value());
			}
			else if (seen.add(header.name())) {
				// In the place of what a filter may have set before.
				response.setHeader(header.name(), header.value());
			}
			else {
				response.addHeader(header.name(), header.value());
			}
		}
		response.setHeader(replayedHeader, "true");
		if (this.body.length > 0) {
			response.setContentLength(this.body.length);
			response.getOutputStream().write(this.body);
		}
	}

	byte[] encode() {
		byte[][] texts = new byte[2 * this.headers.size()][];
		int size = 1 + 2 * Short.BYTES + this.body.length;
		for (int i = 0; i < texts.length; i++) {
			Header header = this.headers.get(i / 2);
			texts[i] = ((i % 2 == 0) ? header.name() : header.value()).getBytes(StandardCharsets.UTF_8);
			size += Short.BYTES + texts[i].length;
		}
		ByteBuffer out = ByteBuffer.allocate(size).put((byte) VERSION);
		putShort(out, this.status);
		putShort(out, this.headers.size());
		for (byte[] text : texts) {
			putShort(out, text.length);
			out.put(text);
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
	static StoredAnswer decode(byte[] bytes) {
		ByteBuffer in = ByteBuffer.wrap(bytes);
		try {
			int version = in.get() & 0xff;
			if (version != VERSION) {
				throw new IllegalArgumentException("A stored answer has format version " + version + ", but only "
						+ VERSION + " is known here: it was written by a newer version of this library");
			}
			int status = in.getShort() & MAX_SHORT;
			if (status < 100 || status > 599) {
				throw new IllegalArgumentException("A stored answer has the status " + status + ", which is none");
			}
			int count = in.getShort() & MAX_SHORT;
			List<Header> headers = new ArrayList<>(Math.min(count, 16));
			for (int i = 0; i < count; i++) {
				headers.add(new Header(text(bytes, in), text(bytes, in)));
			}
			return new StoredAnswer(status, headers, Arrays.copyOfRange(bytes, in.position(), bytes.length));
		}
		catch (BufferUnderflowException ex) {
			throw new IllegalArgumentException("A stored answer is corrupt", ex);
		}
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

	/**
	 * A header line.
	 *
	 * @param name the name
	 * @param value the value
	 */
	record Header(String name, String value) {
	}

}
