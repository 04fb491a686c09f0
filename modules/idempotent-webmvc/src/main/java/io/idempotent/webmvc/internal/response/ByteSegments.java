package io.idempotent.webmvc.internal.response;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Bytes as written, small writes merged: a container may commit at one large write. */
final class ByteSegments {

	private static final int MERGED_SIZE = 4096;

	private final List<ByteArrayOutputStream> segments = new ArrayList<>(1);

	private int size;

	private boolean sealed;

	int size() {
		return this.size;
	}

	void add(byte[] bytes, int offset, int length) {
		if (length == 0) {
			return;
		}
		ByteArrayOutputStream last = this.segments.isEmpty() ? null : this.segments.get(this.segments.size() - 1);
		if (last == null || this.sealed || last.size() + (long) length > MERGED_SIZE) {
			last = new ByteArrayOutputStream(length);
			this.segments.add(last);
			this.sealed = false;
		}
		last.write(bytes, offset, length);
		this.size += length;
	}

	/** Seals the current segments: later bytes are not merged into them. */
	int seal() {
		this.sealed = true;
		return this.segments.size();
	}

	void clear() {
		this.segments.clear();
		this.size = 0;
		this.sealed = false;
	}

	byte[] toByteArray() {
		if (this.segments.size() == 1) {
			return this.segments.get(0).toByteArray();
		}
		byte[] whole = new byte[this.size];
		int at = 0;
		for (ByteArrayOutputStream segment : this.segments) {
			System.arraycopy(segment.toByteArray(), 0, whole, at, segment.size());
			at += segment.size();
		}
		return whole;
	}

	void writeTo(OutputStream stream, int from, int to) throws IOException {
		for (ByteArrayOutputStream segment : this.segments.subList(from, to)) {
			segment.writeTo(stream);
		}
	}

	int count() {
		return this.segments.size();
	}

}
