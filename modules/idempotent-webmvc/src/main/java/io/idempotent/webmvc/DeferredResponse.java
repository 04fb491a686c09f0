package io.idempotent.webmvc;

import java.io.IOException;
import java.io.PrintWriter;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The response of an exchange: inert, with its original stream, until a claim arms it.
 * From then on a {@link BufferedResponse} stands in the place of the original one.
 */
final class DeferredResponse extends HttpServletResponseWrapper {

	private final HttpServletResponse original;

	private @Nullable BufferedResponse held;

	private ServletResponse inPlace;

	private boolean handedOut;

	DeferredResponse(HttpServletResponse response) {
		super(response);
		this.original = response;
		this.inPlace = response;
	}

	/**
	 * Holds the answer back from now on, if it is not held already. Whoever took the
	 * original stream before writes past us: nothing can be held then.
	 * @param limit how many bytes are held at most
	 */
	void arm(int limit) {
		if (this.held == null && !this.handedOut) {
			boolean tomcat = isTomcats();
			this.held = new BufferedResponse(this.original, limit, tomcat);
			this.inPlace = tomcat ? new ResponseBarrier(this.held) : this.held;
			replace(this.original, this.inPlace);
		}
	}

	/**
	 * Whether the container is Tomcat, which does some things in a way of its own.
	 * @return whether it is
	 */
	boolean isTomcats() {
		return ResponseBarrier.isNeededBy(this.original);
	}

	/**
	 * The answer while it is held back.
	 * @return the response that holds it, or {@code null}
	 */
	@Nullable BufferedResponse held() {
		return this.held;
	}

	/**
	 * Whether a write to the client failed: it is gone.
	 * @return whether the client is gone
	 */
	boolean isClientGone() {
		return this.held != null && this.held.isClientGone();
	}

	/**
	 * Sends what was held back.
	 * @throws IOException if the client is gone
	 */
	void send() throws IOException {
		BufferedResponse answer = this.held;
		if (answer != null) {
			discard();
			answer.send();
		}
	}

	/**
	 * Forgets what was held back: the container writes its own answer.
	 */
	void discard() {
		if (this.held != null) {
			this.held = null;
			replace(this.inPlace, this.original);
		}
	}

	/**
	 * A forward drops what was written before. Tomcat tells every wrapper so, others only
	 * their own response.
	 */
	void beforeForward() {
		if (this.held != null && this.inPlace == this.held && !this.held.isCommitted()) {
			this.held.resetBuffer();
		}
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		this.handedOut |= this.held == null;
		return super.getOutputStream();
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		this.handedOut |= this.held == null;
		return super.getWriter();
	}

	/**
	 * Exchanges the innermost response. While something is included, Tomcat has a wrapper
	 * of its own between it and us.
	 */
	private void replace(ServletResponse present, ServletResponse next) {
		ServletResponseWrapper above = this;
		while (above.getResponse() != present && above.getResponse() instanceof ServletResponseWrapper wrapper) {
			above = wrapper;
		}
		above.setResponse(next);
	}

}
