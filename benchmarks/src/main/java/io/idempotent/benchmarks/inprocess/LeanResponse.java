package io.idempotent.benchmarks.inprocess;

import java.util.Collection;
import java.util.List;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A response that costs next to nothing, is used again for each call and remembers just
 * enough to be checked.
 */
final class LeanResponse extends HttpServletResponseWrapper {

	private final Stream stream = new Stream();

	private int status;

	private @Nullable String contentType;

	private boolean replayed;

	LeanResponse() {
		super(Unexpected.any(HttpServletResponse.class));
	}

	void begin() {
		this.status = SC_OK;
		this.contentType = null;
		this.replayed = false;
		this.stream.written = 0;
	}

	/**
	 * Fails unless it is the answer that was expected.
	 * @param length the length of its body
	 * @param whetherReplayed whether it is a stored one
	 */
	void require(int length, boolean whetherReplayed) {
		if (this.status != SC_OK || this.stream.written != length || this.replayed != whetherReplayed
				|| this.contentType == null) {
			throw new IllegalStateException("Answered " + this.status + " with " + this.stream.written + " bytes of "
					+ this.contentType + (this.replayed ? ", replayed" : ""));
		}
	}

	@Override
	public int getStatus() {
		return this.status;
	}

	@Override
	public void setStatus(int status) {
		this.status = status;
	}

	@Override
	public @Nullable String getContentType() {
		return this.contentType;
	}

	@Override
	public void setContentType(String type) {
		this.contentType = type;
	}

	@Override
	public void setContentLength(int length) {
	}

	@Override
	public void setHeader(String name, String value) {
		this.replayed |= name.equals("Idempotency-Replayed");
	}

	@Override
	public boolean containsHeader(String name) {
		return false;
	}

	@Override
	public @Nullable String getHeader(String name) {
		return null;
	}

	@Override
	public Collection<String> getHeaders(String name) {
		return List.of();
	}

	@Override
	public int getBufferSize() {
		return 8192;
	}

	@Override
	public boolean isCommitted() {
		return false;
	}

	@Override
	public ServletOutputStream getOutputStream() {
		return this.stream;
	}

	private static final class Stream extends ServletOutputStream {

		private int written;

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setWriteListener(WriteListener listener) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void write(int value) {
			this.written++;
		}

		@Override
		public void write(byte[] bytes, int offset, int length) {
			this.written += length;
		}

	}

}
