package io.idempotent.webmvc.internal.request;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;

/**
 * Reads the body for the fingerprint as the handler method will, through the wrappers of
 * the filters behind the idempotency filter, and makes it readable again. Requests to
 * other endpoints keep their original streams.
 *
 * <p>
 * A body that was read is kept where it is served again:
 * <ul>
 * <li>a form that the container would parse by {@link RewindableRequest}, below all
 * wrappers</li>
 * <li>another body, as the container serves it, by this request, for the wrappers of
 * other filters</li>
 * <li>what wrappers make of it, and serve once, by {@link #forHandler a request} above
 * the wrappers, for the handler method</li>
 * <li>what wrappers serve again by those wrappers</li>
 * </ul>
 */
public class CachedBodyRequest extends RepeatableRequest {

	/** What other filters' wrappers get while the fingerprint is read. */
	private @Nullable ObservedStream lazy;

	/** A body that the wrappers of other filters do not serve again. */
	private byte @Nullable [] servedOnce;

	/** The part of a multipart request that filters have read. */
	private @Nullable ObservedStream watched;

	/** Whether a filter has asked for the body: for Tomcat, a form is no parameters. */
	private boolean opened;

	private @Nullable RewindableRequest rewindable;

	public CachedBodyRequest(HttpServletRequest request) {
		super(request);
	}

	/** As it is read before the handler method, until it is {@link #rewind rewound}. */
	public final HttpServletRequest preview(HttpServletRequest request, int limit, String operation) {
		RewindableRequest form = rewindable(request, limit, operation);
		return (form != null && form.isForm()) ? form.withoutCopies(request) : request;
	}

	/** From now on it can be read as if nobody had read it. */
	public final void rewind() {
		if (this.rewindable != null) {
			this.rewindable.rewind();
		}
	}

	/** {@code null} for an unknown container, or if a filter has read the form. */
	private @Nullable RewindableRequest rewindable(HttpServletRequest request, int limit, String operation) {
		boolean opened = this.opened && isTomcat();
		FormParser parser = opened ? null : FormParser.of(original());
		if (this.rewindable == null && parser != null) {
			ServletRequestWrapper innermost = this;
			while (innermost.getRequest() instanceof ServletRequestWrapper below && !FormParser.isTomcats(below)) {
				innermost = below;
			}
			this.rewindable = new RewindableRequest((HttpServletRequest) innermost.getRequest(), parser, limit,
					operation, RewindableRequest.bindsParameters(request));
			innermost.setRequest(this.rewindable);
		}
		return this.rewindable;
	}

	/** The bytes of a form that the container would parse. */
	final byte @Nullable [] form() {
		return (this.rewindable != null) ? this.rewindable.form() : null;
	}

	/** Whether the container has parsed a form, so that nothing is left of its bytes. */
	final boolean isFormOfContainer() {
		return this.rewindable != null && this.rewindable.isForm() && this.rewindable.form() == null;
	}

	/**
	 * Reads and keeps the body, once; {@code null} if it is longer than the limit. If the
	 * outermost request returns the stream of this one, no filter wraps the body.
	 */
	final @Nullable ReadBody readBody(HttpServletRequest request, int limit) throws IOException {
		long declared = request.getContentLengthLong();
		if (declared > limit) {
			return null;
		}
		ObservedStream own = new ObservedStream(super::getInputStream);
		this.lazy = own;
		try {
			ServletInputStream in = request.getInputStream();
			byte[] read = read(in, (int) declared, limit);
			if (read == null) {
				return null;
			}
			if (in == own) {
				keep(read, isOfContainer(in));
				if (this.opened) {
					super.getInputStream();
				}
			}
			else if (!isServedAgain(request, in, read)) {
				this.servedOnce = read;
			}
			return new ReadBody(read, isIncomplete(request, in, own, read.length));
		}
		catch (IllegalStateException ex) {
			// A filter has the reader. HTTP/1 without length or chunks has no body.
			boolean mayHaveBody = declared > 0
					|| (declared < 0 && (isChunked(request) || !request.getProtocol().startsWith("HTTP/1")));
			return new ReadBody(new byte[0], isMultipart() || mayHaveBody);
		}
		finally {
			this.lazy = null;
		}
	}

	/** Whether each call returns the whole body, as wrappers with a copy do. */
	private static boolean isServedAgain(HttpServletRequest request, InputStream first, byte[] body) {
		try {
			InputStream again = request.getInputStream();
			return again != first && Arrays.equals(again.readNBytes(body.length + 1), body);
		}
		catch (IOException | RuntimeException ex) {
			return false;
		}
	}

	/** Whether a filter has read some: a wrapper may shorten a body, but not empty it. */
	private boolean isIncomplete(HttpServletRequest request, ServletInputStream in, ObservedStream own, int read) {
		if (read == 0 && isMultipart()) {
			return true;
		}
		long declared = request.getContentLengthLong();
		if (declared >= 0) {
			return read < declared && (read == 0 || in == this.watched || isOfContainer(in));
		}
		return read == 0 && isChunked(request) && (own.wasFinishedBefore() || !isOfContainer(own));
	}

	private static boolean isChunked(HttpServletRequest request) {
		return request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
	}

	/**
	 * Whether no wrapper replaces the body: a container returns the same stream each
	 * time, and a wrapper another one.
	 */
	private boolean isOfContainer(ServletInputStream in) {
		try {
			ServletInputStream read = (in instanceof ObservedStream observed) ? observed.below() : in;
			return original().getInputStream() == read;
		}
		catch (IOException | RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Whether a filter has read the body before the container parsed these parts, so that
	 * some may be missing. A wrapper may find parts that the container does not find.
	 */
	final boolean isReadByFilter(Collection<Part> parts) {
		// Without the stream, it has the reader.
		if (!this.opened || (this.watched != null && !this.watched.wasRead())) {
			return false;
		}
		try {
			return List.copyOf(parts).equals(List.copyOf(getParts()));
		}
		catch (IOException | ServletException | RuntimeException ex) {
			return false;
		}
	}

	public final HttpServletRequest forHandler(HttpServletRequest request) {
		if (this.servedOnce == null) {
			return request;
		}
		RepeatableRequest repeatable = new RepeatableRequest(request);
		repeatable.keep(this.servedOnce, false);
		return repeatable;
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		if (this.lazy != null) {
			return this.lazy;
		}
		this.opened = true;
		return (isMultipart() && !isKept()) ? watched() : super.getInputStream();
	}

	private ServletInputStream watched() throws IOException {
		ObservedStream stream = this.watched;
		if (stream == null) {
			stream = new ObservedStream(super::getInputStream);
			stream.below();
			this.watched = stream;
		}
		return stream;
	}

	@Override
	public BufferedReader getReader() throws IOException {
		this.opened = true;
		return super.getReader();
	}

	/** Such a body has at least a boundary. */
	private boolean isMultipart() {
		return StringUtils.startsWithIgnoreCase(getContentType(), "multipart/");
	}

	/** {@code incomplete} if a filter has read some of it. */
	@SuppressWarnings("ArrayRecordComponent")
	record ReadBody(byte[] bytes, boolean incomplete) {
	}

}
