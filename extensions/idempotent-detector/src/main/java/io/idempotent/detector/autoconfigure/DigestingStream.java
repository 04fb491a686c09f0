package io.idempotent.detector.autoconfigure;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/** Digests what the application reads, up to a limit. Nothing is kept or read ahead. */
final class DigestingStream extends ServletInputStream {

	private final ServletInputStream original;

	private final long limit;

	private final MessageDigest sha256;

	private long length;

	private boolean ended;

	DigestingStream(ServletInputStream original, long limit) {
		this.original = original;
		this.limit = limit;
		try {
			this.sha256 = MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This JVM does not provide SHA-256", ex);
		}
	}

	/** Ends the digest; {@code null} if more than the limit was read. */
	synchronized byte @Nullable [] end() {
		this.ended = true;
		return (this.length <= this.limit) ? this.sha256.digest() : null;
	}

	/** Synchronized, since an application may go on reading on another thread. */
	private synchronized void add(byte[] source, int offset, int count) {
		this.length += count;
		if (this.length <= this.limit && !this.ended) {
			this.sha256.update(source, offset, count);
		}
	}

	@Override
	public int read() throws IOException {
		int value = this.original.read();
		if (value >= 0) {
			add(new byte[] { (byte) value }, 0, 1);
		}
		return value;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		int count = this.original.read(target, offset, length);
		if (count > 0) {
			add(target, offset, count);
		}
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
