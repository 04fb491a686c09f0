package io.idempotent.webmvc;

import java.io.IOException;
import java.io.PrintWriter;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A response whose answer is held back, so that it is recorded before anybody sees it. To
 * the operation it looks like the container's: what is flushed, closed or longer than the
 * buffer counts as committed, and headers that come later are not heard. An answer over
 * the bound goes to the client as it is written, and from then on so does everything.
 */
final class BufferedResponse extends HeaderRecorder {

	private final DeferredBody body;

	private final boolean tomcat;

	private @Nullable PrintWriter writer;

	private boolean streaming;

	private ResponseEnd ending = new ResponseEnd.Body();

	BufferedResponse(HttpServletResponse original, int limit, boolean tomcat) {
		super(original);
		this.tomcat = tomcat;
		this.body = new DeferredBody(original, limit);
	}

	/**
	 * The answer's body, as far as it is whole.
	 * @param head whether a HEAD request is answered, which has no body of the length
	 * that it is told
	 * @return the body, or {@code null} if it is not (all) here
	 */
	byte @Nullable [] body(boolean head) {
		drain();
		byte @Nullable [] bytes = this.body.bytes();
		if (bytes == null || declaredLength() == UNKNOWN || declaredLength() == bytes.length) {
			return bytes;
		}
		return (head && bytes.length == 0) ? bytes : null;
	}

	/**
	 * How the answer ends.
	 * @return the ending
	 */
	ResponseEnd ending() {
		return this.ending;
	}

	boolean isClientGone() {
		return this.body.isClientGone();
	}

	/**
	 * Sends what was held back.
	 * @throws IOException if the client is gone
	 */
	void send() throws IOException {
		drain();
		this.body.send();
		if (!this.body.isPassing()) {
			this.ending.send((HttpServletResponse) getResponse());
		}
	}

	/**
	 * Holds nothing back any longer.
	 * @throws IOException if the client is gone
	 */
	void pass() throws IOException {
		if (this.ending instanceof ResponseEnd.Body) {
			drain();
			this.body.pass();
			// Another thread may have written in between.
			drain();
			return;
		}
		send();
		this.body.reset();
		this.body.close();
		this.ending = new ResponseEnd.Body();
	}

	/**
	 * Takes back what the operation believes to have sent, so that its failure can be
	 * answered.
	 */
	void reopen() {
		if (!this.body.isPassing() && isCommitted()) {
			drain();
			this.body.reset();
			this.ending = new ResponseEnd.Body();
		}
	}

	/**
	 * Begins the body anew, by stream or by writer.
	 */
	void restart() {
		if (!this.body.isPassing()) {
			reopen();
			drain();
			this.body.reset();
			this.writer = null;
			this.streaming = false;
		}
	}

	@Override
	public ServletOutputStream getOutputStream() {
		if (this.writer != null) {
			throw new IllegalStateException("getWriter() has already been called for this response");
		}
		this.streaming = true;
		return this.body;
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		if (this.streaming) {
			throw new IllegalStateException("getOutputStream() has already been called for this response");
		}
		if (this.writer == null) {
			String encoding = getCharacterEncoding();
			if (saysEncoding()) {
				setCharacterEncoding(encoding);
			}
			this.writer = new DeferredWriter(this.body, encoding);
		}
		return this.writer;
	}

	/**
	 * A container makes the encoding of a writer part of the content type. Jetty assumes
	 * that of JSON, and of what has no type, without a word.
	 */
	private boolean saysEncoding() {
		String type = getContentType();
		return this.tomcat || (type != null && !type.contains("json"));
	}

	@Override
	public void flushBuffer() throws IOException {
		drain();
		this.body.flush();
		if (this.body.isPassing()) {
			super.flushBuffer();
		}
	}

	@Override
	public boolean isCommitted() {
		if (this.body.isPassing() || super.isCommitted()) {
			return super.isCommitted();
		}
		drain();
		return this.body.isSentOff() || !(this.ending instanceof ResponseEnd.Body) || this.body.size() > getBufferSize()
				|| (declaredLength() > 0 && this.body.size() >= declaredLength());
	}

	@Override
	public void setBufferSize(int size) {
		requireUncommitted();
		if (this.body.size() > 0) {
			throw new IllegalStateException("The buffer has been written to already");
		}
		super.setBufferSize(size);
	}

	@Override
	public void resetBuffer() {
		requireUncommitted();
		super.resetBuffer();
		drain();
		this.body.reset();
	}

	@Override
	public void reset() {
		requireUncommitted();
		super.reset();
		restart();
		forgetHeaders();
	}

	@Override
	public void sendError(int status) throws IOException {
		sendError(status, null);
	}

	@Override
	public void sendError(int status, @Nullable String message) throws IOException {
		if (this.body.isPassing()) {
			new ResponseEnd.ErrorPage(status, message).send((HttpServletResponse) getResponse());
			return;
		}
		requireUncommitted();
		resetBuffer();
		setStatus(status);
		end(new ResponseEnd.ErrorPage(status, message));
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

	@Override
	public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
		if (this.body.isPassing()) {
			new ResponseEnd.Redirect(status, location, clearBuffer).send((HttpServletResponse) getResponse());
			return;
		}
		requireUncommitted();
		if (clearBuffer) {
			resetBuffer();
		}
		setStatus(status);
		setHeader(HttpHeaders.LOCATION, location);
		end(new ResponseEnd.Redirect(status, location, clearBuffer));
	}

	private void end(ResponseEnd how) throws IOException {
		drain();
		this.ending = how;
		this.body.close();
	}

	@Override
	boolean hasWriter() {
		return this.writer != null;
	}

	private void requireUncommitted() {
		if (isCommitted()) {
			throw new IllegalStateException("The response has been committed already");
		}
	}

	private void drain() {
		if (this.writer != null) {
			this.body.drain(this.writer);
		}
	}

}
