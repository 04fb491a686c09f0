package io.idempotent.webmvc;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Passes every call on, and hides what is below. It is on purpose no
 * {@link jakarta.servlet.ServletResponseWrapper}: Tomcat looks through wrappers for its
 * own response, and suspends that one after a forward. Whatever is held back then could
 * not be sent any more. Other containers need to find their own response.
 */
final class ResponseBarrier implements HttpServletResponse {

	private static final String TOMCAT = "org.apache.catalina.";

	private final HttpServletResponse original;

	ResponseBarrier(HttpServletResponse original) {
		this.original = original;
	}

	/**
	 * Whether a response is in the end one of Tomcat's.
	 * @param response the response
	 * @return whether it needs the barrier
	 */
	static boolean isNeededBy(ServletResponse response) {
		ServletResponse innermost = response;
		while (innermost instanceof ServletResponseWrapper wrapper) {
			innermost = wrapper.getResponse();
		}
		return innermost.getClass().getName().startsWith(TOMCAT);
	}

	@Override
	public void addCookie(Cookie cookie) {
		this.original.addCookie(cookie);
	}

	@Override
	public boolean containsHeader(String name) {
		return this.original.containsHeader(name);
	}

	@Override
	public String encodeURL(String url) {
		return this.original.encodeURL(url);
	}

	@Override
	public String encodeRedirectURL(String url) {
		return this.original.encodeRedirectURL(url);
	}

	@Override
	public void sendError(int status, @Nullable String message) throws IOException {
		this.original.sendError(status, message);
	}

	@Override
	public void sendError(int status) throws IOException {
		this.original.sendError(status);
	}

	@Override
	public void sendRedirect(String location) throws IOException {
		this.original.sendRedirect(location);
	}

	@Override
	public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
		this.original.sendRedirect(location, status, clearBuffer);
	}

	@Override
	public void setDateHeader(String name, long date) {
		this.original.setDateHeader(name, date);
	}

	@Override
	public void addDateHeader(String name, long date) {
		this.original.addDateHeader(name, date);
	}

	@Override
	public void setHeader(String name, @Nullable String value) {
		this.original.setHeader(name, value);
	}

	@Override
	public void addHeader(String name, @Nullable String value) {
		this.original.addHeader(name, value);
	}

	@Override
	public void setIntHeader(String name, int value) {
		this.original.setIntHeader(name, value);
	}

	@Override
	public void addIntHeader(String name, int value) {
		this.original.addIntHeader(name, value);
	}

	@Override
	public void setStatus(int status) {
		this.original.setStatus(status);
	}

	@Override
	public int getStatus() {
		return this.original.getStatus();
	}

	@Override
	public @Nullable String getHeader(String name) {
		return this.original.getHeader(name);
	}

	@Override
	public Collection<String> getHeaders(String name) {
		return this.original.getHeaders(name);
	}

	@Override
	public Collection<String> getHeaderNames() {
		return this.original.getHeaderNames();
	}

	@Override
	public void setTrailerFields(Supplier<Map<String, String>> supplier) {
		this.original.setTrailerFields(supplier);
	}

	@Override
	public @Nullable Supplier<Map<String, String>> getTrailerFields() {
		return this.original.getTrailerFields();
	}

	@Override
	public String getCharacterEncoding() {
		return this.original.getCharacterEncoding();
	}

	@Override
	public @Nullable String getContentType() {
		return this.original.getContentType();
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		return this.original.getOutputStream();
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		return this.original.getWriter();
	}

	@Override
	public void setCharacterEncoding(@Nullable String encoding) {
		this.original.setCharacterEncoding(encoding);
	}

	@Override
	public void setContentLength(int length) {
		this.original.setContentLength(length);
	}

	@Override
	public void setContentLengthLong(long length) {
		this.original.setContentLengthLong(length);
	}

	@Override
	public void setContentType(@Nullable String type) {
		this.original.setContentType(type);
	}

	@Override
	public void setBufferSize(int size) {
		this.original.setBufferSize(size);
	}

	@Override
	public int getBufferSize() {
		return this.original.getBufferSize();
	}

	@Override
	public void flushBuffer() throws IOException {
		this.original.flushBuffer();
	}

	@Override
	public void resetBuffer() {
		this.original.resetBuffer();
	}

	@Override
	public boolean isCommitted() {
		return this.original.isCommitted();
	}

	@Override
	public void reset() {
		this.original.reset();
	}

	@Override
	public void setLocale(@Nullable Locale locale) {
		this.original.setLocale(locale);
	}

	@Override
	public Locale getLocale() {
		return this.original.getLocale();
	}

}
