package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;

/** Close does not flush: containers derive the length of a body that was not flushed. */
final class DeferredWriter extends PrintWriter {

	private final DeferredBody body;

	DeferredWriter(DeferredBody body, String encoding) throws UnsupportedEncodingException {
		super(new OutputStreamWriter(new Unflushed(body), encoding));
		this.body = body;
	}

	/** Passes on what is buffered here, which is no flush of the response. */
	void drain() {
		super.flush();
	}

	@Override
	public void flush() {
		drain();
		try {
			this.body.flush();
		}
		catch (IOException ex) {
			setError();
		}
	}

	@Override
	public void write(int character) {
		super.write(character);
		drainIfPassing();
	}

	@Override
	public void write(char[] text, int offset, int length) {
		super.write(text, offset, length);
		drainIfPassing();
	}

	@Override
	public void write(String text, int offset, int length) {
		super.write(text, offset, length);
		drainIfPassing();
	}

	/**
	 * Buffers nothing that goes to the client: some containers end an asynchronous
	 * response before they call its listeners.
	 */
	private void drainIfPassing() {
		if (this.body.isPassing()) {
			drain();
		}
	}

	@Override
	public void close() {
		drain();
		try {
			this.body.close();
		}
		catch (IOException ex) {
			setError();
		}
	}

	/** Flushing an encoder flushes its stream. */
	private static final class Unflushed extends OutputStream {

		private final DeferredBody body;

		Unflushed(DeferredBody body) {
			this.body = body;
		}

		@Override
		public void write(int value) throws IOException {
			this.body.write(value);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			this.body.write(bytes, offset, length);
		}

	}

}
