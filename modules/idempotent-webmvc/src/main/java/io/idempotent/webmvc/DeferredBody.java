package io.idempotent.webmvc;

import java.io.IOException;
import java.io.PrintWriter;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer while it is held back. The bound holds while writing: the byte
 * that would exceed it lets everything go to the client, and nothing is kept from then
 * on. A flush or a close is noted, so that the answer is sent as it would have been. Safe
 * for use by several threads, as an operation with an {@code AsyncContext} of its own
 * writes while the request's thread returns.
 */
final class DeferredBody extends ServletOutputStream {

	private static final int NOT_FLUSHED = -1;

	private final HttpServletResponse target;

	private final int limit;

	private @Nullable ByteSegments buffer = new ByteSegments();

	private int flushedAfter = NOT_FLUSHED;

	private boolean closed;

	private boolean draining;

	private boolean clientGone;

	/**
	 * Holds an answer back.
	 * @param target where it goes in the end
	 * @param limit how many bytes to hold at most
	 */
	DeferredBody(HttpServletResponse target, int limit) {
		this.target = target;
		this.limit = limit;
	}

	/**
	 * What is held.
	 * @return the bytes, or {@code null} if they have gone to the client
	 */
	synchronized byte @Nullable [] bytes() {
		return (this.buffer != null) ? this.buffer.toByteArray() : null;
	}

	/**
	 * How much is held.
	 * @return the number of bytes, 0 if they have gone to the client
	 */
	synchronized int size() {
		return (this.buffer != null) ? this.buffer.size() : 0;
	}

	/**
	 * Whether the bytes go to the client as they are written.
	 * @return whether nothing is held any longer
	 */
	synchronized boolean isPassing() {
		return this.buffer == null;
	}

	/**
	 * Whether the answer was flushed or closed, and would be on its way.
	 * @return whether it was
	 */
	synchronized boolean isSentOff() {
		return this.flushedAfter != NOT_FLUSHED || this.closed;
	}

	boolean isClientGone() {
		return this.clientGone;
	}

	/**
	 * Forgets what is held, flushes and close included.
	 */
	synchronized void reset() {
		if (this.buffer != null) {
			this.buffer.clear();
			this.flushedAfter = NOT_FLUSHED;
			this.closed = false;
		}
	}

	/**
	 * Takes what a writer on top has buffered. That is no flush of the answer.
	 * @param writer the writer
	 */
	void drain(PrintWriter writer) {
		this.draining = true;
		try {
			writer.flush();
		}
		finally {
			this.draining = false;
		}
	}

	/**
	 * Sends what is held, flushed where it was flushed: how the container frames a body
	 * depends on it.
	 * @throws IOException if the client is gone
	 */
	synchronized void send() throws IOException {
		ByteSegments whole = this.buffer;
		if (whole == null) {
			return;
		}
		int first = (this.flushedAfter != NOT_FLUSHED) ? this.flushedAfter : whole.pieces();
		if (first > 0) {
			whole.writeTo(this.target.getOutputStream(), 0, first);
		}
		if (this.flushedAfter != NOT_FLUSHED) {
			this.target.flushBuffer();
		}
		if (first < whole.pieces()) {
			whole.writeTo(this.target.getOutputStream(), first, whole.pieces());
		}
	}

	/**
	 * Holds nothing any longer: what is here goes to the client, and so does all that
	 * follows.
	 * @throws IOException if the client is gone
	 */
	synchronized void pass() throws IOException {
		if (size() == 0 && !isSentOff()) {
			// The stream is left alone: the container's writer may be in use.
			this.buffer = null;
			return;
		}
		toClient((stream) -> {
		});
	}

	@Override
	public void write(int value) throws IOException {
		write(new byte[] { (byte) value }, 0, 1);
	}

	@Override
	public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
		if (this.closed) {
			return;
		}
		if (this.buffer != null && this.buffer.size() + (long) length <= this.limit) {
			this.buffer.add(bytes, offset, length);
			return;
		}
		toClient((stream) -> stream.write(bytes, offset, length));
	}

	@Override
	public synchronized void flush() throws IOException {
		if (this.draining) {
			return;
		}
		if (this.buffer == null) {
			toClient(ServletOutputStream::flush);
		}
		else if (!isSentOff()) {
			this.flushedAfter = this.buffer.seal();
		}
	}

	@Override
	public synchronized void close() throws IOException {
		if (this.buffer == null) {
			toClient(ServletOutputStream::close);
		}
		this.closed = true;
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

	/**
	 * Non-blocking output cannot be held back: it goes to the client as it is.
	 */
	@Override
	public synchronized void setWriteListener(WriteListener listener) {
		try {
			toClient((stream) -> stream.setWriteListener(listener));
		}
		catch (IOException ex) {
			listener.onError(ex);
		}
	}

	private void toClient(Write write) throws IOException {
		try {
			ByteSegments heldSoFar = this.buffer;
			this.buffer = null;
			ServletOutputStream stream = this.target.getOutputStream();
			if (heldSoFar != null) {
				heldSoFar.writeTo(stream, 0, heldSoFar.pieces());
				if (isSentOff()) {
					stream.flush();
				}
			}
			write.to(stream);
		}
		catch (IOException ex) {
			this.clientGone = true;
			throw ex;
		}
	}

	private interface Write {

		void to(ServletOutputStream stream) throws IOException;

	}

}
