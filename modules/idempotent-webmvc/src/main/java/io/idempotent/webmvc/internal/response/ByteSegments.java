package io.idempotent.webmvc.internal.response;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

import jakarta.servlet.http.HttpServletResponse;

/**
 * Bytes as written, with the first flush between them. Small writes are merged: a
 * container may commit at one large write.
 */
final class ByteSegments {

	private static final int MERGED_SIZE = 4096;

	private static final int NOT_FLUSHED = -1;

	private final List<Segment> segments = new ArrayList<>(1);

	/** The number of segments before the first flush. */
	private int flushedAfter = NOT_FLUSHED;

	private int size;

	int size() {
		return this.size;
	}

	boolean isFlushed() {
		return this.flushedAfter != NOT_FLUSHED;
	}

	void add(byte[] bytes, int offset, int length) {
		if (length == 0) {
			return;
		}
		int count = this.segments.size();
		Segment last = (count == 0 || count == this.flushedAfter) ? null : this.segments.get(count - 1);
		if (last == null || last.size() + (long) length > MERGED_SIZE) {
			last = new Segment(length);
			this.segments.add(last);
		}
		last.write(bytes, offset, length);
		this.size += length;
	}

	void flush() {
		if (!isFlushed()) {
			this.flushedAfter = this.segments.size();
		}
	}

	/** Forgets the flush, too. */
	void clear() {
		this.segments.clear();
		this.size = 0;
		this.flushedAfter = NOT_FLUSHED;
	}

	byte[] toByteArray() {
		byte[] whole = new byte[this.size];
		int at = 0;
		for (Segment segment : this.segments) {
			segment.copyTo(whole, at);
			at += segment.size();
		}
		return whole;
	}

	void writeTo(OutputStream stream) throws IOException {
		for (Segment segment : this.segments) {
			segment.writeTo(stream);
		}
	}

	/** Flushes where the operation did: the container's framing depends on it. */
	void sendTo(HttpServletResponse response) throws IOException {
		for (int i = 0; i < this.segments.size(); i++) {
			if (i == this.flushedAfter) {
				response.flushBuffer();
			}
			this.segments.get(i).writeTo(response.getOutputStream());
		}
		if (this.segments.size() == this.flushedAfter) {
			response.flushBuffer();
		}
	}

	private static final class Segment extends ByteArrayOutputStream {

		Segment(int size) {
			super(size);
		}

		void copyTo(byte[] target, int at) {
			System.arraycopy(this.buf, 0, target, at, this.count);
		}

	}

}
