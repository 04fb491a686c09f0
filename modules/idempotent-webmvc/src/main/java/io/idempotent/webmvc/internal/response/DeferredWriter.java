package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;

/**
 * Keeps nothing back, since some containers end an asynchronous response before they call
 * its listeners. Close does not flush: containers then derive the length of a body.
 */
final class DeferredWriter extends PrintWriter {

	private final DeferredBody body;

	DeferredWriter(DeferredBody body, String encoding) throws UnsupportedEncodingException {
		super(new OutputStreamWriter(new Unflushed(body), encoding));
		this.body = body;
	}

	@Override
	public void write(int character) {
		super.write(character);
		super.flush();
	}

	@Override
	public void write(char[] text, int offset, int length) {
		super.write(text, offset, length);
		super.flush();
	}

	@Override
	public void write(String text, int offset, int length) {
		super.write(text, offset, length);
		super.flush();
	}

	/** The overridden method would not call any of those above. */
	@Override
	public void println() {
		write(System.lineSeparator());
	}

	@Override
	public void flush() {
		try {
			this.body.flush();
		}
		catch (IOException ex) {
			setError();
		}
	}

	@Override
	public void close() {
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
