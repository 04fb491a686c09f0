package io.idempotent.benchmarks.inprocess;

import java.io.IOException;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.HandlerMapping;

/**
 * A request that costs next to nothing and is used again for each call. What it does not
 * know it refuses to answer, so that nothing is measured by mistake.
 */
final class LeanRequest extends HttpServletRequestWrapper {

	private final String path;

	private final byte[] body;

	private final Stream stream;

	private String key = "";

	private @Nullable String attribute;

	private @Nullable Object value;

	LeanRequest(String path, byte[] body) {
		super(Unexpected.any(HttpServletRequest.class));
		this.path = path;
		this.body = body;
		this.stream = new Stream(body);
	}

	/**
	 * Makes a new request of it.
	 * @param newKey its {@code Idempotency-Key}
	 */
	void begin(String newKey) {
		this.key = newKey;
		this.stream.position = 0;
		this.attribute = null;
		this.value = null;
	}

	@Override
	public @Nullable HttpSession getSession(boolean create) {
		return null;
	}

	@Override
	public @Nullable String getRequestedSessionId() {
		return null;
	}

	@Override
	public String getMethod() {
		return "POST";
	}

	@Override
	public String getRequestURI() {
		return this.path;
	}

	@Override
	public @Nullable String getQueryString() {
		return null;
	}

	@Override
	public @Nullable String getContentType() {
		return (this.body.length > 0) ? "application/json" : null;
	}

	@Override
	public int getContentLength() {
		return this.body.length;
	}

	@Override
	public long getContentLengthLong() {
		return this.body.length;
	}

	@Override
	public ServletInputStream getInputStream() {
		return this.stream;
	}

	@Override
	public @Nullable String getHeader(String name) {
		return name.equals("Idempotency-Key") ? this.key : null;
	}

	@Override
	public Enumeration<String> getHeaders(String name) {
		return name.equals("Idempotency-Key") ? Collections.enumeration(List.of(this.key))
				: Collections.emptyEnumeration();
	}

	@Override
	public @Nullable Principal getUserPrincipal() {
		return null;
	}

	@Override
	public DispatcherType getDispatcherType() {
		return DispatcherType.REQUEST;
	}

	@Override
	public boolean isAsyncStarted() {
		return false;
	}

	@Override
	public @Nullable Object getAttribute(String name) {
		if (name.equals(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)) {
			return this.path;
		}
		return name.equals(this.attribute) ? this.value : null;
	}

	@Override
	public void setAttribute(String name, Object newValue) {
		this.attribute = name;
		this.value = newValue;
	}

	private static final class Stream extends ServletInputStream {

		private final byte[] bytes;

		private int position;

		Stream(byte[] bytes) {
			this.bytes = bytes;
		}

		@Override
		public boolean isFinished() {
			return this.position == this.bytes.length;
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setReadListener(ReadListener listener) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int read() {
			return (this.position < this.bytes.length) ? this.bytes[this.position++] & 0xff : -1;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			if (this.position == this.bytes.length) {
				return (length == 0) ? 0 : -1;
			}
			int count = Math.min(length, this.bytes.length - this.position);
			System.arraycopy(this.bytes, this.position, target, offset, count);
			this.position += count;
			return count;
		}

	}

}
