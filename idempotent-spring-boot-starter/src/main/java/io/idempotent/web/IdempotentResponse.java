package io.idempotent.web;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The response of an exchange: inert, with its original stream, until a claim arms it.
 * From then on the answer is held back, so that it is recorded before anybody sees it; an
 * answer over the bound streams on and is no longer held.
 */
final class IdempotentResponse extends HttpServletResponseWrapper {

	private @Nullable HeldAnswer held;

	private @Nullable PrintWriter writer;

	private boolean handedOut;

	private boolean error;

	IdempotentResponse(HttpServletResponse response) {
		super(response);
	}

	/**
	 * Holds the answer back from now on, if it is not held already.
	 * @param limit how many bytes are held at most
	 */
	void arm(int limit) {
		if (this.held == null) {
			// Whoever took the original stream before writes past us: nothing to hold
			// then.
			this.held = new HeldAnswer(this::originalStream, this.handedOut ? -1 : limit);
		}
	}

	/**
	 * The answer's body, as far as it is whole.
	 * @return the body, or {@code null} if it is not (all) here
	 */
	byte @Nullable [] body() {
		flushWriter();
		return (this.held != null && !this.error && !this.handedOut) ? this.held.bytes() : null;
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
		flushWriter();
		HeldAnswer answer = this.held;
		this.held = null;
		if (answer != null && answer.size() > 0 && !this.error) {
			if (!isCommitted()) {
				setContentLength(answer.size());
			}
			answer.writeTo(originalStream());
		}
	}

	/**
	 * Forgets what was held back: the container writes its own answer.
	 */
	void discard() {
		this.held = null;
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		if (this.held != null) {
			return this.held;
		}
		this.handedOut = true;
		return super.getOutputStream();
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		if (this.held == null) {
			this.handedOut = true;
			return super.getWriter();
		}
		if (this.writer == null) {
			String encoding = getCharacterEncoding();
			// As the container does, the encoding in use becomes part of the content
			// type.
			setCharacterEncoding(encoding);
			this.writer = new PrintWriter(new OutputStreamWriter(this.held, Charset.forName(encoding)));
		}
		return this.writer;
	}

	@Override
	public void flushBuffer() throws IOException {
		if (this.held == null) {
			super.flushBuffer();
		}
		else {
			flushWriter();
			this.held.flush();
		}
	}

	@Override
	public void resetBuffer() {
		super.resetBuffer();
		flushWriter();
		dropHeld();
	}

	@Override
	public void reset() {
		super.reset();
		flushWriter();
		this.writer = null;
		dropHeld();
	}

	/**
	 * The container keeps the language to itself until it commits; as a header it can be
	 * recorded.
	 */
	@Override
	public void setLocale(Locale locale) {
		super.setLocale(locale);
		if (this.held != null) {
			setHeader(HttpHeaders.CONTENT_LANGUAGE, locale.toLanguageTag());
		}
	}

	@Override
	public void sendError(int status) throws IOException {
		this.error = true;
		super.sendError(status);
	}

	@Override
	public void sendError(int status, String message) throws IOException {
		this.error = true;
		super.sendError(status, message);
	}

	@Override
	public void sendRedirect(String location) throws IOException {
		sendRedirect(location, SC_FOUND, true);
	}

	@Override
	public void sendRedirect(String location, boolean clearBuffer) throws IOException {
		sendRedirect(location, SC_FOUND, clearBuffer);
	}

	@Override
	public void sendRedirect(String location, int status) throws IOException {
		sendRedirect(location, status, true);
	}

	/**
	 * While the answer is held, a redirect is an answer like any other: status and
	 * location, not yet committed.
	 */
	@Override
	public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
		if (this.held == null) {
			super.sendRedirect(location, status, clearBuffer);
			return;
		}
		if (clearBuffer) {
			resetBuffer();
		}
		setStatus(status);
		setHeader(HttpHeaders.LOCATION, location);
	}

	private void dropHeld() {
		if (this.held != null) {
			this.held.reset();
		}
	}

	private void flushWriter() {
		if (this.writer != null) {
			this.writer.flush();
		}
	}

	private ServletOutputStream originalStream() throws IOException {
		return super.getOutputStream();
	}

}
