package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.idempotent.function.ThrowingConsumer;
import io.idempotent.function.ThrowingRunnable;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The output stream of a response that is held back. A write that would exceed the limit
 * sends everything, and nothing is held back afterwards. Flush and close are noted, so
 * that the response is sent as it would have been. Thread-safe, since an operation with
 * its own {@code AsyncContext} may write while the request's thread returns.
 */
final class DeferredBody extends ServletOutputStream {

	private final HttpServletResponse target;

	private final int limit;

	/** Before JDK 24, a monitor would pin a virtual thread of a slow client. */
	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable ByteSegments buffer = new ByteSegments();

	private boolean closed;

	private volatile boolean ignored;

	private boolean clientGone;

	DeferredBody(HttpServletResponse target, int limit) {
		this.target = target;
		this.limit = limit;
	}

	/** {@code null} if they were sent to the client. */
	byte @Nullable [] bytes() {
		return locked(() -> (this.buffer != null) ? this.buffer.toByteArray() : null);
	}

	int size() {
		return locked(() -> (this.buffer != null) ? this.buffer.size() : 0);
	}

	/** Whether the bytes go to the client as they are written. */
	boolean isPassing() {
		return locked(() -> this.buffer == null);
	}

	boolean isFlushedOrClosed() {
		return locked(() -> this.closed || (this.buffer != null && this.buffer.isFlushed()));
	}

	/** Whether bytes were written after the end. */
	boolean hasIgnored() {
		return this.ignored;
	}

	boolean isClientGone() {
		return this.clientGone;
	}

	/** Includes flush and close. */
	void reset() {
		locked(() -> {
			if (this.buffer != null) {
				this.buffer.clear();
				this.closed = false;
			}
		});
	}

	void send() throws IOException {
		locked(() -> {
			if (this.buffer != null) {
				this.buffer.sendTo(this.target);
			}
		});
	}

	/** From now on, everything goes to the client as it is written. */
	void passThrough() throws IOException {
		locked(() -> {
			if (size() == 0 && !isFlushedOrClosed()) {
				// Does not obtain the container's stream: its writer may be in use.
				this.buffer = null;
				return;
			}
			toClient((stream) -> {
			});
		});
	}

	@Override
	public void write(int value) throws IOException {
		write(new byte[] { (byte) value }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		locked(() -> {
			if (this.closed) {
				this.ignored = true;
			}
			else if (this.buffer != null && this.buffer.size() + (long) length <= this.limit) {
				this.buffer.add(bytes, offset, length);
			}
			else {
				toClient((stream) -> stream.write(bytes, offset, length));
			}
		});
	}

	@Override
	public void flush() throws IOException {
		locked(() -> {
			if (this.buffer == null) {
				toClient(ServletOutputStream::flush);
			}
			else if (!this.closed) {
				this.buffer.flush();
			}
		});
	}

	@Override
	public void close() throws IOException {
		locked(() -> {
			if (this.buffer == null) {
				toClient(ServletOutputStream::close);
			}
			this.closed = true;
		});
	}

	@Override
	public boolean isReady() {
		try {
			return this.buffer != null || this.target.getOutputStream().isReady();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Non-blocking output cannot be held back. */
	@Override
	public void setWriteListener(WriteListener listener) {
		locked(() -> {
			try {
				toClient((stream) -> stream.setWriteListener(listener));
			}
			catch (IOException ex) {
				listener.onError(ex);
			}
		});
	}

	private <T extends @Nullable Object> T locked(Supplier<T> read) {
		this.lock.lock();
		try {
			return read.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private <X extends Throwable> void locked(ThrowingRunnable<X> change) throws X {
		this.lock.lock();
		try {
			change.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void toClient(ThrowingConsumer<ServletOutputStream, IOException> write) throws IOException {
		try {
			ByteSegments held = this.buffer;
			this.buffer = null;
			ServletOutputStream stream = this.target.getOutputStream();
			if (held != null) {
				held.writeTo(stream);
				if (this.closed || held.isFlushed()) {
					stream.flush();
				}
			}
			write.accept(stream);
		}
		catch (IOException ex) {
			this.clientGone = true;
			throw ex;
		}
	}

}
