package io.idempotent.webmvc.internal.request;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/** Serves a kept body to the handler method; until one is kept, the original streams. */
class RepeatableRequest extends HttpServletRequestWrapper {

	/** A longer body gets its memory as it arrives. */
	private static final int AT_ONCE = 65_536;

	private byte @Nullable [] body;

	private boolean ofContainer;

	private @Nullable ServletInputStream stream;

	private @Nullable BufferedReader reader;

	RepeatableRequest(HttpServletRequest request) {
		super(request);
	}

	/** That of the container. */
	final HttpServletRequest original() {
		ServletRequest original = getRequest();
		while (original instanceof ServletRequestWrapper wrapper) {
			original = wrapper.getRequest();
		}
		return (HttpServletRequest) original;
	}

	final boolean isTomcat() {
		return FormParser.isTomcats(original());
	}

	/** Serves a body, either as a stream or as a reader if the container's was. */
	final void keep(byte[] body, boolean ofContainer) {
		this.body = body;
		this.ofContainer = ofContainer;
		this.stream = null;
		this.reader = null;
	}

	final boolean isKept() {
		return this.body != null;
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		if (this.body == null) {
			return super.getInputStream();
		}
		if (this.ofContainer && this.reader != null) {
			throw new IllegalStateException(
					isTomcat() ? "getReader() has already been called for this request" : "READER");
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
		if (this.ofContainer && this.stream != null && this.reader == null) {
			throw new IllegalStateException(
					isTomcat() ? "getInputStream() has already been called for this request" : "STREAMED");
		}
		if (this.reader == null) {
			String encoding = getCharacterEncoding();
			Charset charset = (encoding != null) ? Charset.forName(encoding) : StandardCharsets.ISO_8859_1;
			// Tomcat reports malformed characters; other containers replace them.
			this.reader = new BufferedReader(isTomcat() ? new InputStreamReader(getInputStream(), charset.newDecoder())
					: new InputStreamReader(getInputStream(), charset));
		}
		return this.reader;
	}

	/** {@code null} if the body is longer than the limit. */
	static byte @Nullable [] read(InputStream in, int declared, int limit) throws IOException {
		byte[] read = (declared >= 0 && declared <= AT_ONCE) ? readAtOnce(in, declared)
				: in.readNBytes((declared >= 0) ? declared : limit);
		int next = in.read();
		if (next != -1) {
			// At the limit the body is too long, and no more is read. Below the limit, a
			// filter has made it longer than was declared.
			read = (read.length < limit) ? longer(read, next, in.readNBytes(limit - read.length)) : null;
		}
		return (read != null && read.length <= limit) ? read : null;
	}

	/** Without the copies by which {@code readNBytes} waits for what is declared. */
	private static byte[] readAtOnce(InputStream in, int length) throws IOException {
		byte[] bytes = new byte[length];
		int read = in.readNBytes(bytes, 0, length);
		return (read < length) ? Arrays.copyOf(bytes, read) : bytes;
	}

	private static byte[] longer(byte[] begin, int next, byte[] rest) {
		return ByteBuffer.allocate(begin.length + 1 + rest.length).put(begin).put((byte) next).put(rest).array();
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
