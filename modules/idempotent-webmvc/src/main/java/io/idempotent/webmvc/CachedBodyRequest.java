package io.idempotent.webmvc;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.idempotent.webmvc.response.DeferredResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.WebUtils;

/**
 * Wraps a request so that its body can be read twice: once for the fingerprint and once
 * for the handler method. Requests to other endpoints keep their original streams. It
 * also holds the {@link HttpSubmission} of the request.
 */
final class CachedBodyRequest extends HttpServletRequestWrapper {

	private final DeferredResponse response;

	private final CsrfTokens csrfTokens;

	private @Nullable HttpSubmission submission;

	private byte @Nullable [] body;

	private @Nullable ServletInputStream stream;

	private @Nullable BufferedReader reader;

	CachedBodyRequest(HttpServletRequest request, DeferredResponse response) {
		super(request);
		this.response = response;
		this.csrfTokens = new CsrfTokens(response);
	}

	/**
	 * Finds the wrapper below the wrappers of other filters.
	 * @param request the current request
	 * @return the wrapper, or {@code null} if the request did not pass the filter
	 */
	static @Nullable CachedBodyRequest find(HttpServletRequest request) {
		return WebUtils.getNativeRequest(request, CachedBodyRequest.class);
	}

	DeferredResponse response() {
		return this.response;
	}

	@Nullable HttpSubmission submission() {
		return this.submission;
	}

	void attach(HttpSubmission submission) {
		this.submission = submission;
	}

	/**
	 * Reads the body and keeps it, so that it can be read again.
	 * @param limit how many bytes are kept at most
	 * @return the body, or {@code null} if it is longer
	 * @throws IOException if the client disconnects
	 */
	byte @Nullable [] readBody(int limit) throws IOException {
		long declared = getContentLengthLong();
		if (declared > limit) {
			return null;
		}
		InputStream in = super.getInputStream();
		byte @Nullable [] read = in.readNBytes((declared >= 0) ? (int) declared : limit);
		int next = in.read();
		if (next != -1) {
			// At the limit the body is too long, and no more is read. Below the limit, a
			// filter has made it longer than was declared.
			read = (read.length < limit) ? longer(read, next, in.readNBytes(limit - read.length)) : null;
		}
		if (read == null || read.length > limit) {
			return null;
		}
		this.body = read;
		return read;
	}

	private static byte[] longer(byte[] begin, int next, byte[] rest) {
		byte[] whole = Arrays.copyOf(begin, begin.length + 1 + rest.length);
		whole[begin.length] = (byte) next;
		System.arraycopy(rest, 0, whole, begin.length + 1, rest.length);
		return whole;
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		if (this.body == null) {
			return super.getInputStream();
		}
		if (this.stream == null) {
			this.stream = new BodyStream(this.body);
		}
		return this.stream;
	}

	@Override
	public BufferedReader getReader() throws IOException {
		if (this.body == null) {
			return super.getReader();
		}
		if (this.reader == null) {
			String encoding = getCharacterEncoding();
			Charset charset = (encoding != null) ? Charset.forName(encoding) : StandardCharsets.ISO_8859_1;
			// Tomcat reports malformed characters; other containers replace them.
			this.reader = new BufferedReader(
					this.response.isTomcat() ? new InputStreamReader(getInputStream(), charset.newDecoder())
							: new InputStreamReader(getInputStream(), charset));
		}
		return this.reader;
	}

	@Override
	public @Nullable Object getAttribute(String name) {
		Object value = super.getAttribute(name);
		return (value != null && this.submission != null) ? this.csrfTokens.observe(value) : value;
	}

	/**
	 * Passes on the wrapped response: the container's own would bypass the buffer.
	 */
	@Override
	public AsyncContext startAsync() {
		return this.response.isBuffering() ? startAsync(this, this.response) : super.startAsync();
	}

	@Override
	public @Nullable RequestDispatcher getRequestDispatcher(String path) {
		RequestDispatcher dispatcher = super.getRequestDispatcher(path);
		return (dispatcher != null) ? new Dispatcher(dispatcher, this.response) : null;
	}

	/**
	 * Notifies the {@link DeferredResponse} of a forward.
	 */
	private record Dispatcher(RequestDispatcher original, DeferredResponse response) implements RequestDispatcher {

		@Override
		public void forward(ServletRequest request, ServletResponse target) throws ServletException, IOException {
			this.response.beforeForward();
			this.original.forward(request, target);
		}

		@Override
		public void include(ServletRequest request, ServletResponse target) throws ServletException, IOException {
			this.original.include(request, target);
		}

	}

	private static final class BodyStream extends ServletInputStream {

		private final ByteArrayInputStream bytes;

		BodyStream(byte[] body) {
			this.bytes = new ByteArrayInputStream(body);
		}

		@Override
		public boolean isFinished() {
			return this.bytes.available() == 0;
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setReadListener(ReadListener listener) {
			throw new UnsupportedOperationException(
					"The body of an idempotent operation has already been read for its fingerprint, so that a "
							+ "ReadListener cannot be set: read the body with blocking calls");
		}

		@Override
		public int read() {
			return this.bytes.read();
		}

		@Override
		public int read(byte[] target, int offset, int length) {
			return this.bytes.read(target, offset, length);
		}

		@Override
		public int available() {
			return this.bytes.available();
		}

	}

}
