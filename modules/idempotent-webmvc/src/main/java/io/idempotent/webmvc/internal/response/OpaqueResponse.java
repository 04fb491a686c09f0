package io.idempotent.webmvc.internal.response;

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
 * Passes every call on, and hides the delegate from Tomcat. It is deliberately not a
 * {@link jakarta.servlet.ServletResponseWrapper}: after a forward, Tomcat unwraps the
 * response and suspends its own one, so that what is held back could no longer be sent.
 * Other containers must find their own response, and do without this class.
 */
final class OpaqueResponse implements HttpServletResponse {

	private static final String TOMCAT = "org.apache.catalina.";

	private final HttpServletResponse delegate;

	OpaqueResponse(HttpServletResponse delegate) {
		this.delegate = delegate;
	}

	static boolean isOfTomcat(ServletResponse response) {
		ServletResponse innermost = response;
		while (innermost instanceof ServletResponseWrapper wrapper) {
			innermost = wrapper.getResponse();
		}
		return isTomcats(innermost);
	}

	/**
	 * Whether Tomcat includes a resource: it then wraps the innermost response, and looks
	 * for it afterwards, so that nothing may hide it.
	 */
	static boolean isIncluding(ServletResponse response) {
		ServletResponse below = response;
		while (below instanceof ServletResponseWrapper wrapper && !isTomcats(wrapper)) {
			below = wrapper.getResponse();
		}
		return below instanceof ServletResponseWrapper;
	}

	private static boolean isTomcats(ServletResponse response) {
		return response.getClass().getName().startsWith(TOMCAT);
	}

	@Override
	public void addCookie(Cookie cookie) {
		this.delegate.addCookie(cookie);
	}

	@Override
	public boolean containsHeader(String name) {
		return this.delegate.containsHeader(name);
	}

	@Override
	public String encodeURL(String url) {
		return this.delegate.encodeURL(url);
	}

	@Override
	public String encodeRedirectURL(String url) {
		return this.delegate.encodeRedirectURL(url);
	}

	@Override
	public void sendError(int status, @Nullable String message) throws IOException {
		this.delegate.sendError(status, message);
	}

	@Override
	public void sendError(int status) throws IOException {
		this.delegate.sendError(status);
	}

	@Override
	public void sendRedirect(String location) throws IOException {
		this.delegate.sendRedirect(location);
	}

	@Override
	public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
		this.delegate.sendRedirect(location, status, clearBuffer);
	}

	@Override
	public void setDateHeader(String name, long date) {
		this.delegate.setDateHeader(name, date);
	}

	@Override
	public void addDateHeader(String name, long date) {
		this.delegate.addDateHeader(name, date);
	}

	@Override
	public void setHeader(String name, @Nullable String value) {
		this.delegate.setHeader(name, value);
	}

	@Override
	public void addHeader(String name, @Nullable String value) {
		this.delegate.addHeader(name, value);
	}

	@Override
	public void setIntHeader(String name, int value) {
		this.delegate.setIntHeader(name, value);
	}

	@Override
	public void addIntHeader(String name, int value) {
		this.delegate.addIntHeader(name, value);
	}

	@Override
	public void setStatus(int status) {
		this.delegate.setStatus(status);
	}

	@Override
	public int getStatus() {
		return this.delegate.getStatus();
	}

	@Override
	public @Nullable String getHeader(String name) {
		return this.delegate.getHeader(name);
	}

	@Override
	public Collection<String> getHeaders(String name) {
		return this.delegate.getHeaders(name);
	}

	@Override
	public Collection<String> getHeaderNames() {
		return this.delegate.getHeaderNames();
	}

	@Override
	public void setTrailerFields(Supplier<Map<String, String>> supplier) {
		this.delegate.setTrailerFields(supplier);
	}

	@Override
	public @Nullable Supplier<Map<String, String>> getTrailerFields() {
		return this.delegate.getTrailerFields();
	}

	@Override
	public String getCharacterEncoding() {
		return this.delegate.getCharacterEncoding();
	}

	@Override
	public @Nullable String getContentType() {
		return this.delegate.getContentType();
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		return this.delegate.getOutputStream();
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		return this.delegate.getWriter();
	}

	@Override
	public void setCharacterEncoding(@Nullable String encoding) {
		this.delegate.setCharacterEncoding(encoding);
	}

	@Override
	public void setContentLength(int length) {
		this.delegate.setContentLength(length);
	}

	@Override
	public void setContentLengthLong(long length) {
		this.delegate.setContentLengthLong(length);
	}

	@Override
	public void setContentType(@Nullable String type) {
		this.delegate.setContentType(type);
	}

	@Override
	public void setBufferSize(int size) {
		this.delegate.setBufferSize(size);
	}

	@Override
	public int getBufferSize() {
		return this.delegate.getBufferSize();
	}

	@Override
	public void flushBuffer() throws IOException {
		this.delegate.flushBuffer();
	}

	@Override
	public void resetBuffer() {
		this.delegate.resetBuffer();
	}

	@Override
	public boolean isCommitted() {
		return this.delegate.isCommitted();
	}

	@Override
	public void reset() {
		this.delegate.reset();
	}

	@Override
	public void setLocale(@Nullable Locale locale) {
		this.delegate.setLocale(locale);
	}

	@Override
	public Locale getLocale() {
		return this.delegate.getLocale();
	}

}
