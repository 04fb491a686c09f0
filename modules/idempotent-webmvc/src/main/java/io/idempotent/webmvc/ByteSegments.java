package io.idempotent.webmvc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes in the pieces in which they were written, small ones joined. A container treats
 * what is written in one large piece differently: it may commit at once.
 */
final class ByteSegments {

	private static final int JOINED = 4096;

	private final List<ByteArrayOutputStream> pieces = new ArrayList<>(1);

	private int size;

	private boolean sealed;

	int size() {
		return this.size;
	}

	void add(byte[] bytes, int offset, int length) {
		if (length == 0) {
			return;
		}
		ByteArrayOutputStream last = this.pieces.isEmpty() ? null : this.pieces.get(this.pieces.size() - 1);
		if (last == null || this.sealed || last.size() + (long) length > JOINED) {
			last = new ByteArrayOutputStream(length);
			this.pieces.add(last);
			this.sealed = false;
		}
		last.write(bytes, offset, length);
		this.size += length;
	}

	/**
	 * Lets nothing be joined to what is here.
	 * @return how many pieces there are
	 */
	int seal() {
		this.sealed = true;
		return this.pieces.size();
	}

	void clear() {
		this.pieces.clear();
		this.size = 0;
		this.sealed = false;
	}

	byte[] toByteArray() {
		if (this.pieces.size() == 1) {
			return this.pieces.get(0).toByteArray();
		}
		byte[] whole = new byte[this.size];
		int at = 0;
		for (ByteArrayOutputStream piece : this.pieces) {
			System.arraycopy(piece.toByteArray(), 0, whole, at, piece.size());
			at += piece.size();
		}
		return whole;
	}

	/**
	 * Writes some of the pieces.
	 * @param stream where to
	 * @param from the first piece
	 * @param to the piece after the last
	 * @throws IOException if they cannot be written
	 */
	void writeTo(OutputStream stream, int from, int to) throws IOException {
		for (ByteArrayOutputStream piece : this.pieces.subList(from, to)) {
			piece.writeTo(stream);
		}
	}

	int pieces() {
		return this.pieces.size();
	}

}
