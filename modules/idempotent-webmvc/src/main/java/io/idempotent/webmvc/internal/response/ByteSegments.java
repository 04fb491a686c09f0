package io.idempotent.webmvc.internal.response;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes in the segments in which they were written, small ones merged. The segments are
 * kept because a container may treat one large write differently: it may commit at once.
 */
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

	/**
	 * Seals the current segments: later bytes are not merged into them.
	 * @return how many segments there are
	 */
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

	/**
	 * Writes some of the segments.
	 * @param stream the target
	 * @param from the first segment
	 * @param to the segment after the last
	 * @throws IOException if they cannot be written
	 */
	void writeTo(OutputStream stream, int from, int to) throws IOException {
		for (ByteArrayOutputStream segment : this.segments.subList(from, to)) {
			segment.writeTo(stream);
		}
	}

	int count() {
		return this.segments.size();
	}

}
