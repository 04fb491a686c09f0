package io.idempotent.web;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;

/**
 * A writer whose close is no flush: the container knows the length of what was only
 * closed.
 */
final class HeldWriter extends PrintWriter {

	private final HeldAnswer body;

	HeldWriter(HeldAnswer body, String encoding) throws UnsupportedEncodingException {
		super(new OutputStreamWriter(body, encoding));
		this.body = body;
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
