package io.idempotent.webmvc.internal.request;

import java.io.IOException;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

/** Notes reads of a multipart request by filters: the container misses those parts. */
final class WatchedStream extends ServletInputStream {

	private final ServletInputStream original;

	private volatile boolean read;

	WatchedStream(ServletInputStream original) {
		this.original = original;
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

	@Override
	public int available() throws IOException {
		return this.original.available();
	}

	@Override
	public boolean isFinished() {
		return this.original.isFinished();
	}

	@Override
	public boolean isReady() {
		return this.original.isReady();
	}

	@Override
	public void setReadListener(ReadListener listener) {
		this.original.setReadListener(listener);
	}

	@Override
	public void close() throws IOException {
		this.original.close();
	}

}
