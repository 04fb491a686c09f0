package io.idempotent.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer while it is held back. The bound holds while writing: the byte
 * that would exceed it lets everything go to the client, and nothing is kept from then
 * on.
 */
final class HeldAnswer extends ServletOutputStream {

	private final Target target;

	private final int limit;

	/** Empty, so that the first write, mostly the only one, finds the size. */
	private @Nullable ByteArrayOutputStream buffer = new ByteArrayOutputStream(0);

	private boolean clientGone;

	/**
	 * Holds an answer back.
	 * @param target where it goes in the end
	 * @param limit how many bytes to hold at most; below zero nothing is held
	 */
	HeldAnswer(Target target, int limit) {
		this.target = target;
		this.limit = limit;
		if (limit < 0) {
			this.buffer = null;
		}
	}

	/**
	 * What is held.
	 * @return the bytes, or {@code null} if they have gone to the client
	 */
	byte @Nullable [] bytes() {
		return (this.buffer != null) ? this.buffer.toByteArray() : null;
	}

	/**
	 * How much is held.
	 * @return the number of bytes, 0 if they have gone to the client
	 */
	int size() {
		return (this.buffer != null) ? this.buffer.size() : 0;
	}

	/**
	 * Writes what is held, which stays here.
	 * @param stream where to
	 * @throws IOException if the client is gone
	 */
	void writeTo(OutputStream stream) throws IOException {
		if (this.buffer != null) {
			this.buffer.writeTo(stream);
		}
	}

	boolean isClientGone() {
		return this.clientGone;
	}

	void reset() {
		if (this.buffer != null) {
			this.buffer.reset();
		}
	}

	@Override
	public void write(int value) throws IOException {
		write(new byte[] { (byte) value }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		if (this.buffer != null && this.buffer.size() + (long) length <= this.limit) {
			this.buffer.write(bytes, offset, length);
			return;
		}
		toClient((stream) -> stream.write(bytes, offset, length));
	}

	@Override
	public void flush() throws IOException {
		if (this.buffer == null) {
			toClient(ServletOutputStream::flush);
		}
	}

	@Override
	public boolean isReady() {
		try {
			return this.buffer != null || this.target.stream().isReady();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Non-blocking output cannot be held back: it goes to the client as it is.
	 */
	@Override
	public void setWriteListener(WriteListener listener) {
		try {
			toClient((stream) -> stream.setWriteListener(listener));
		}
		catch (IOException ex) {
			listener.onError(ex);
		}
	}

	private void toClient(Write write) throws IOException {
		try {
			ServletOutputStream stream = this.target.stream();
			if (this.buffer != null) {
				ByteArrayOutputStream heldSoFar = this.buffer;
				this.buffer = null;
				heldSoFar.writeTo(stream);
			}
			write.to(stream);
		}
		catch (IOException ex) {
			this.clientGone = true;
			throw ex;
		}
	}

	/**
	 * Where an answer goes in the end.
	 */
	interface Target {

		ServletOutputStream stream() throws IOException;

	}

	private interface Write {

		void to(ServletOutputStream stream) throws IOException;

	}

}
