package io.idempotent.webmvc;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;

/**
 * A writer whose close is no flush: the container knows the length of what was only
 * closed.
 */
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
	 * What goes to the client does not wait here: some containers end the answer of an
	 * {@code AsyncContext} before they tell.
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
