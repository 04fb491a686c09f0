package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.io.PrintWriter;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Holds a response back. Behaves like the container's: once flushed, closed or longer
 * than the container's buffer, it counts as committed and later headers are ignored.
 * Beyond the limit everything is sent, and later writes go directly to the client.
 */
final class BufferedResponse extends HeaderRecorder {

	private static final int EARLY_HINTS = 103;

	private final DeferredBody body;

	private final boolean tomcat;

	/** Whether Tomcat must not see this response. */
	private final boolean hidden;

	private @Nullable HttpServletResponse front;

	/** Stays after a reset, since the operation may have a reference to it. */
	private @Nullable DeferredWriter writer;

	private Use use = Use.NONE;

	/** The call with which it ends, or {@code null} if it ends with its body. */
	private @Nullable ContainerCall call;

	BufferedResponse(HttpServletResponse original, int limit, boolean tomcat) {
		super(original);
		this.tomcat = tomcat;
		this.body = new DeferredBody(original, limit);
		this.hidden = tomcat && !OpaqueResponse.isIncluding(original);
	}

	boolean isHidden() {
		return this.hidden;
	}

	/** What the container finds in the place of its response. */
	HttpServletResponse front() {
		if (this.front == null) {
			this.front = this.hidden ? OpaqueResponse.of(this) : this;
		}
		return this.front;
	}

	/** The body, or {@code null} if it was sent or is incomplete. */
	byte @Nullable [] body(boolean head) {
		byte @Nullable [] bytes = this.body.bytes();
		if (bytes == null || declaredLength() == UNKNOWN || declaredLength() == bytes.length) {
			return bytes;
		}
		return (head && bytes.length == 0) ? bytes : null;
	}

	@Nullable ContainerCall call() {
		return this.call;
	}

	/** Whether nothing was sent. */
	boolean isHeld() {
		return !this.body.isPassing();
	}

	/** Whether there is a stream or a writer. */
	boolean isUsed() {
		return this.use != Use.NONE;
	}

	boolean isClientGone() {
		return this.body.isClientGone();
	}

	void send() throws IOException {
		this.body.send();
		if (!this.body.isPassing()) {
			String encoding = encodingOfPage();
			if (encoding != null) {
				getResponse().setCharacterEncoding(encoding);
			}
			if (this.call != null) {
				this.call.send((HttpServletResponse) getResponse());
			}
		}
	}

	/** Of a writer that was obtained after sendError, whose page has its encoding. */
	@Nullable String encodingOfPage() {
		return (this.tomcat && hasWriter() && this.body.hasIgnored()) ? getCharacterEncoding() : null;
	}

	/** Sends what is held back, and holds nothing back from now on. */
	void passThrough() throws IOException {
		if (this.call == null) {
			this.body.passThrough();
			return;
		}
		send();
		this.body.reset();
		this.body.close();
		this.call = null;
	}

	/** Discards a body that counts as sent. */
	void uncommit() {
		if (isHeld() && isCommitted()) {
			this.body.reset();
			this.call = null;
		}
	}

	/** Discards the body, which stream or writer may write from now on. */
	void clearBody() {
		uncommit();
		this.body.reset();
		this.use = Use.NONE;
	}

	/** Discards body and headers. */
	void clear() {
		if (isHeld()) {
			clearBody();
			this.writer = null;
			removeHeaders();
		}
	}

	@Override
	public ServletOutputStream getOutputStream() {
		if (this.use == Use.WRITER) {
			throw new IllegalStateException("getWriter() has already been called for this response");
		}
		this.use = Use.STREAM;
		return this.body;
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		if (this.use == Use.STREAM) {
			throw new IllegalStateException("getOutputStream() has already been called for this response");
		}
		DeferredWriter used = hasWriter() ? this.writer : null;
		if (used == null) {
			String encoding = getCharacterEncoding();
			if (addsEncodingToType()) {
				setCharacterEncoding(encoding);
			}
			used = new DeferredWriter(this.body, encoding);
			this.writer = used;
			this.use = Use.WRITER;
		}
		return used;
	}

	/**
	 * Containers add a writer's encoding, but Jetty not for plain JSON, without a type,
	 * or beside another one.
	 */
	private boolean addsEncodingToType() {
		String type = getContentType();
		return this.tomcat
				|| (type != null && !(type.contains("json") && !type.contains(";")) && !hasCharset(type, ""));
	}

	@Override
	public void flushBuffer() throws IOException {
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
		return this.body.isFlushedOrClosed() || this.call != null || this.body.size() > getBufferSize()
				|| (declaredLength() > 0 && this.body.size() >= declaredLength());
	}

	/** After sendError, Jetty's response counts as committed, but takes headers. */
	@Override
	boolean ignoresHeaders() {
		return isCommitted() && (this.tomcat || !(this.call instanceof ContainerCall.SendError));
	}

	@Override
	public void setBufferSize(int size) {
		requireUncommitted();
		if (this.body.size() > 0) {
			throw new IllegalStateException(
					"The buffer size cannot be changed: " + this.body.size() + " bytes have been written");
		}
		super.setBufferSize(size);
	}

	@Override
	public void resetBuffer() {
		requireUncommitted();
		super.resetBuffer();
		this.body.reset();
	}

	@Override
	public void reset() {
		requireUncommitted();
		super.reset();
		if (!this.body.isPassing()) {
			clearBody();
		}
		forgetHeaders();
	}

	@Override
	public void sendError(int status) throws IOException {
		sendError(status, null);
	}

	@Override
	public void sendError(int status, @Nullable String message) throws IOException {
		if (this.body.isPassing() || status == EARLY_HINTS) {
			new ContainerCall.SendError(status, message).send((HttpServletResponse) getResponse());
			return;
		}
		requireUncommitted();
		resetBuffer();
		setStatus(status);
		endWith(new ContainerCall.SendError(status, message));
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
			new ContainerCall.SendRedirect(status, location, clearBuffer).send((HttpServletResponse) getResponse());
			return;
		}
		requireUncommitted();
		if (clearBuffer) {
			resetBuffer();
		}
		setStatus(status);
		setHeader(HttpHeaders.LOCATION, location);
		endWith(new ContainerCall.SendRedirect(status, location, clearBuffer));
	}

	private void endWith(ContainerCall last) throws IOException {
		this.call = last;
		this.body.close();
	}

	@Override
	boolean hasWriter() {
		return this.use == Use.WRITER;
	}

	private void requireUncommitted() {
		if (isCommitted()) {
			throw new IllegalStateException(
					"The response is committed: it can no longer be reset, redirected or turned into an error");
		}
	}

	/** By what the body is written. */
	private enum Use {

		NONE, STREAM, WRITER

	}

}
