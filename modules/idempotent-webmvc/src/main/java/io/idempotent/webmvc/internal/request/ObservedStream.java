package io.idempotent.webmvc.internal.request;

import java.io.IOException;

import io.idempotent.function.ThrowingSupplier;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a request for the wrappers of other filters, which shows whether they
 * have read from it. It opens the stream below on the first read, or by {@link #below()}.
 */
final class ObservedStream extends ServletInputStream {

	private final ThrowingSupplier<ServletInputStream, IOException> open;

	private @Nullable ServletInputStream below;

	private boolean finishedBefore;

	private volatile boolean read;

	ObservedStream(ThrowingSupplier<ServletInputStream, IOException> open) {
		this.open = open;
	}

	/** Whether there was nothing left to be read. */
	boolean wasFinishedBefore() {
		return this.below == null || this.finishedBefore;
	}

	boolean wasRead() {
		return this.read;
	}

	ServletInputStream below() throws IOException {
		if (this.below == null) {
			ServletInputStream opened = this.open.get();
			this.finishedBefore = opened.isFinished();
			this.below = opened;
		}
		return this.below;
	}

	@Override
	public int read() throws IOException {
		int value = below().read();
		this.read |= value >= 0;
		return value;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		int count = below().read(target, offset, length);
		this.read |= count > 0;
		return count;
	}

	@Override
	public int available() throws IOException {
		return below().available();
	}

	@Override
	public boolean isFinished() {
		return this.below != null && this.below.isFinished();
	}

	@Override
	public boolean isReady() {
		return this.below == null || this.below.isReady();
	}

	@Override
	public void setReadListener(ReadListener listener) {
		if (this.below == null) {
			throw new UnsupportedOperationException("The body of an idempotent operation is read with blocking calls");
		}
		this.below.setReadListener(listener);
	}

	@Override
	public void close() throws IOException {
		if (this.below != null) {
			this.below.close();
		}
	}

}
