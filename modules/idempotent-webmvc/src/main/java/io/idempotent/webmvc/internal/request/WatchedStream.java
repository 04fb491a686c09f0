package io.idempotent.webmvc.internal.request;

import java.io.IOException;

import jakarta.servlet.ServletInputStream;

/** Notes reads of a multipart request by filters: the container misses those parts. */
final class WatchedStream extends ForwardingInputStream {

	private volatile boolean read;

	WatchedStream(ServletInputStream original) {
		super(original);
	}

	boolean wasRead() {
		return this.read;
	}

	@Override
	public int read() throws IOException {
		int value = this.original.read();
		this.read |= value >= 0;
		return value;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		int count = this.original.read(target, offset, length);
		this.read |= count > 0;
		return count;
	}

}
