package io.idempotent.web;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A response whose answer is held back, so that it is recorded before anybody sees it. To
 * the operation it looks like the container's: what is flushed, closed or longer than the
 * buffer counts as committed, and headers that come later are not heard. An answer over
 * the bound goes to the client as it is written, and from then on so does everything.
 */
final class HeldResponse extends HttpServletResponseWrapper {

	private static final Pattern CHARSET = Pattern.compile(";\\s*charset\\s*=[^;]*", Pattern.CASE_INSENSITIVE);

	private static final long UNKNOWN = -1;

	private final HeldAnswer body;

	private final boolean tomcat;

	private final SaidHeaders said = new SaidHeaders();

	private @Nullable PrintWriter writer;

	private boolean streaming;

	private long declaredLength = UNKNOWN;

	private Ending ending = new Ending.Body();

	HeldResponse(HttpServletResponse original, int limit, boolean tomcat) {
		super(original);
		this.tomcat = tomcat;
		this.body = new HeldAnswer(original, limit);
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
		if (bytes == null || this.declaredLength == UNKNOWN || this.declaredLength == bytes.length) {
			return bytes;
		}
		return (head && bytes.length == 0) ? bytes : null;
	}

	/**
	 * How the answer ends.
	 * @return the ending
	 */
	Ending ending() {
		return this.ending;
	}

	/**
	 * The headers that were given while the answer was held.
	 * @param names which names are wanted
	 * @return the header lines
	 */
	List<SaidHeaders.Header> headers(Predicate<String> names) {
		return this.said.lines(names);
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
		drain();
		this.body.pass();
	}

	/**
	 * Takes back what the operation believes to have sent, so that its failure can be
	 * answered.
	 */
	void reopen() {
		if (!this.body.isPassing() && isCommitted()) {
			drain();
			this.body.reset();
			this.ending = new Ending.Body();
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
			this.writer = new Writer(this.body, encoding);
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
		return this.body.isSentOff() || !(this.ending instanceof Ending.Body) || this.body.size() > getBufferSize()
				|| (this.declaredLength > 0 && this.body.size() >= this.declaredLength);
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
		this.said.clear();
		this.declaredLength = UNKNOWN;
	}

	@Override
	public void sendError(int status) throws IOException {
		sendError(status, null);
	}

	@Override
	public void sendError(int status, @Nullable String message) throws IOException {
		requireUncommitted();
		resetBuffer();
		setStatus(status);
		end(new Ending.Error(status, message));
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
		requireUncommitted();
		if (clearBuffer) {
			resetBuffer();
		}
		setStatus(status);
		setHeader(HttpHeaders.LOCATION, location);
		end(new Ending.Redirect(status, location, clearBuffer));
	}

	private void end(Ending how) throws IOException {
		drain();
		this.ending = how;
		this.body.close();
	}

	@Override
	public void addCookie(Cookie cookie) {
		if (!isCommitted()) {
			super.addCookie(cookie);
		}
	}

	@Override
	public void setStatus(int status) {
		if (!isCommitted()) {
			super.setStatus(status);
		}
	}

	@Override
	public void setHeader(String name, @Nullable String value) {
		if (isCommitted()) {
			return;
		}
		if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) && value != null) {
			setContentType(value);
			return;
		}
		super.setHeader(name, value);
		noteLength(name, value);
		if (value != null) {
			this.said.set(name, value);
		}
		else {
			this.said.remove(name);
		}
	}

	@Override
	public void addHeader(String name, @Nullable String value) {
		if (isCommitted()) {
			return;
		}
		if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) && value != null) {
			setContentType(value);
			return;
		}
		super.addHeader(name, value);
		noteLength(name, value);
		if (value != null) {
			this.said.add(name, value);
		}
	}

	@Override
	public void setDateHeader(String name, long date) {
		if (!isCommitted()) {
			super.setDateHeader(name, date);
			String formatted = getHeader(name);
			if (formatted != null) {
				this.said.set(name, formatted);
			}
		}
	}

	@Override
	public void addDateHeader(String name, long date) {
		if (!isCommitted()) {
			super.addDateHeader(name, date);
			getHeaders(name).stream()
				.reduce((first, second) -> second)
				.ifPresent((formatted) -> this.said.add(name, formatted));
		}
	}

	@Override
	public void setIntHeader(String name, int value) {
		setHeader(name, Integer.toString(value));
	}

	@Override
	public void addIntHeader(String name, int value) {
		addHeader(name, Integer.toString(value));
	}

	@Override
	public void setContentLength(int length) {
		setContentLengthLong(length);
	}

	@Override
	public void setContentLengthLong(long length) {
		if (!isCommitted()) {
			super.setContentLengthLong(length);
			this.declaredLength = length;
		}
	}

	@Override
	public void setContentType(@Nullable String type) {
		if (!isCommitted()) {
			// A writer has its encoding already.
			super.setContentType((type != null && this.writer != null) ? CHARSET.matcher(type).replaceAll("") : type);
		}
	}

	@Override
	public void setCharacterEncoding(@Nullable String encoding) {
		if (this.writer == null && !isCommitted()) {
			super.setCharacterEncoding(encoding);
		}
	}

	/**
	 * A container may keep the language to itself until it commits, and then prefers it
	 * to any header.
	 */
	@Override
	public void setLocale(@Nullable Locale locale) {
		if (isCommitted()) {
			return;
		}
		String encoding = (this.writer != null) ? getCharacterEncoding() : null;
		super.setLocale(locale);
		if (encoding != null) {
			super.setCharacterEncoding(encoding);
		}
		if (locale != null) {
			this.said.unpin(HttpHeaders.CONTENT_LANGUAGE);
			String language = getHeader(HttpHeaders.CONTENT_LANGUAGE);
			this.said.set(HttpHeaders.CONTENT_LANGUAGE, (language != null) ? language : locale.toLanguageTag());
			if (language == null) {
				this.said.pin(HttpHeaders.CONTENT_LANGUAGE);
			}
		}
	}

	private void noteLength(String name, @Nullable String value) {
		if (name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH) && value != null) {
			try {
				this.declaredLength = Long.parseLong(value);
			}
			catch (NumberFormatException ex) {
				this.declaredLength = UNKNOWN;
			}
		}
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

	/**
	 * A writer whose close is no flush: the container knows the length of what was only
	 * closed.
	 */
	private static final class Writer extends PrintWriter {

		private final HeldAnswer body;

		Writer(HeldAnswer body, String encoding) throws UnsupportedEncodingException {
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

	/**
	 * How an answer ends: by its body, or by a word to the container, which makes the
	 * rest of the answer.
	 */
	sealed interface Ending {

		/**
		 * Says the word.
		 * @param response the container's response
		 * @throws IOException if the client is gone
		 */
		void send(HttpServletResponse response) throws IOException;

		/**
		 * By its body.
		 */
		record Body() implements Ending {

			@Override
			public void send(HttpServletResponse response) {
				// It has been sent.
			}

		}

		/**
		 * By {@code sendError}: the container makes a page of it.
		 *
		 * @param status the status
		 * @param message the message, or {@code null}
		 */
		record Error(int status, @Nullable String message) implements Ending {

			@Override
			public void send(HttpServletResponse response) throws IOException {
				if (this.message != null) {
					response.sendError(this.status, this.message);
				}
				else {
					response.sendError(this.status);
				}
			}

		}

		/**
		 * By {@code sendRedirect}: the container makes its location absolute, or not.
		 *
		 * @param status the status
		 * @param location the location
		 * @param clearBuffer whether there is no body but the container's
		 */
		record Redirect(int status, String location, boolean clearBuffer) implements Ending {

			@Override
			public void send(HttpServletResponse response) throws IOException {
				if (this.status == SC_FOUND && this.clearBuffer) {
					// Filters know this one best.
					response.sendRedirect(this.location);
				}
				else {
					response.sendRedirect(this.location, this.status, this.clearBuffer);
				}
			}

		}

	}

}
