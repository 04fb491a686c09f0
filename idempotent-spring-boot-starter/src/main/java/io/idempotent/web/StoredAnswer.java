package io.idempotent.web;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
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

	/**
	 * Takes an answer from a response that is complete.
	 * @param response the response
	 * @param names the headers to take, beside the content type
	 * @param body its body
	 * @return the answer
	 */
	static StoredAnswer of(HttpServletResponse response, List<String> names, byte[] body) {
		List<Header> headers = new ArrayList<>();
		String contentType = response.getContentType();
		if (contentType != null) {
			headers.add(new Header(HttpHeaders.CONTENT_TYPE, contentType));
		}
		for (String name : names) {
			if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
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
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(this.body.length + 64 * (1 + this.headers.size()));
		try (DataOutputStream out = new DataOutputStream(bytes)) {
			out.writeByte(VERSION);
			out.writeShort(this.status);
			out.writeShort(this.headers.size());
			for (Header header : this.headers) {
				out.writeUTF(header.name());
				out.writeUTF(header.value());
			}
			out.write(this.body);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	/**
	 * Reads an answer back.
	 * @param bytes what {@link #encode()} wrote
	 * @return the answer
	 * @throws IllegalArgumentException if it is of another version or corrupt
	 */
	static StoredAnswer decode(byte[] bytes) {
		try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
			int version = in.readUnsignedByte();
			if (version != VERSION) {
				throw new IllegalArgumentException("A stored answer has format version " + version + ", but only "
						+ VERSION + " is known here: it was written by a newer version of this library");
			}
			int status = in.readUnsignedShort();
			int count = in.readUnsignedShort();
			List<Header> headers = new ArrayList<>(count);
			for (int i = 0; i < count; i++) {
				headers.add(new Header(in.readUTF(), in.readUTF()));
			}
			return new StoredAnswer(status, headers, in.readAllBytes());
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("A stored answer is corrupt", ex);
		}
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
