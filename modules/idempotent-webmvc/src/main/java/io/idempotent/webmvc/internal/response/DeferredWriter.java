package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;

/** Close does not flush: containers derive the length of a body that was not flushed. */
final class DeferredWriter extends PrintWriter {

	private final DeferredBody body;

	DeferredWriter(DeferredBody body, String encoding) throws UnsupportedEncodingException {
		super(new OutputStreamWriter(body, encoding));
		this.body = body;
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
			this.body.drain(this);
		}
	}

	@Override
	public void close() {
		this.body.drain(this);
		try {
			this.body.close();
		}
		catch (IOException ex) {
			setError();
		}
	}

}
