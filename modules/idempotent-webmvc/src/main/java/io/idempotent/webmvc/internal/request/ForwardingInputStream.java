package io.idempotent.webmvc.internal.request;

import java.io.IOException;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

/** Forwards everything but the reads, which a subclass observes. */
public abstract class ForwardingInputStream extends ServletInputStream {

	protected final ServletInputStream original;

	protected ForwardingInputStream(ServletInputStream original) {
		this.original = original;
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
