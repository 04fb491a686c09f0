package io.idempotent.web;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

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
