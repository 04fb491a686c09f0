package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.idempotent.store.Outcome;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A response that can be held back until the outcome of its operation is recorded. The
 * filter wraps every response in one. Until {@link #startBuffering} it passes all calls
 * on to the container's response; from then on to a buffering one.
 *
 * <p>
 * How the classes of this package fit together, from the handler method to the container:
 * <pre>
 * DeferredResponse           the wrapper that filters and handler method see
 *   BufferedResponse         behaves like a container's response, and holds it back
 *     OpaqueResponse         on Tomcat: what getResponse() returns in its place
 *     HeaderRecorder         its base class: notes headers
 *     DeferredBody           its output stream: keeps the bytes, as ByteSegments
 *       DeferredWriter       its writer, on top of the stream
 *     ContainerCall          the sendError or sendRedirect with which the response ended
 *       the container's response
 * </pre> When the request ends, what was held back becomes a {@link StoredResponse},
 * unless it contains what a repeat must not see, such as {@code CallerSecrets}. Then the
 * response is sent.
 *
 * <p>
 * What happens to what is held back:
 * <ul>
 * <li>{@link #sendBuffered}: it is sent when the request ends.</li>
 * <li>{@link #passThrough}: it is sent at once, as all that follows, and nothing is
 * recorded.</li>
 * <li>{@link #uncommit}: the body is discarded if the response counts as committed, so
 * that an error can follow.</li>
 * <li>{@link #clear}: body and headers, but not cookies, are discarded, so that a replay
 * or a refusal can take their place.</li>
 * <li>{@link #discardBuffered}: everything is discarded. What follows goes to the
 * container's response.</li>
 * </ul>
 */
public final class DeferredResponse extends HttpServletResponseWrapper {

	private final HttpServletResponse original;

	/** Present while the response is held back. */
	private @Nullable BufferedResponse buffered;

	private boolean originalBodyUsed;

	/** Texts that a repeat must not see, besides the session id. */
	private final Set<String> secrets = ConcurrentHashMap.newKeySet(1);

	private volatile boolean refusal;

	private volatile boolean recordable = true;

	public DeferredResponse(HttpServletResponse response) {
		super(response);
		this.original = response;
	}

	/** Does nothing if the original stream or writer is used: it cannot be held back. */
	public void startBuffering(int limit) {
		if (this.buffered == null && !this.originalBodyUsed) {
			BufferedResponse started = new BufferedResponse(this.original, limit,
					OpaqueResponse.isOfTomcat(this.original));
			this.buffered = started;
			replace(this.original, started);
		}
	}

	/** Hides a text from repeats: a response that contains it is not stored. */
	void keepSecret(String secret) {
		this.secrets.add(secret);
	}

	public boolean isBuffering() {
		return this.buffered != null;
	}

	/** Whether a write beyond the limit has failed, which shows a lost connection. */
	public boolean isClientGone() {
		return this.buffered != null && this.buffered.isClientGone();
	}

	/**
	 * The body, or {@code null} if it is not held back, or incomplete. The declared
	 * length of a response to HEAD need not match.
	 */
	public byte @Nullable [] body(boolean head) {
		return (this.buffered != null) ? this.buffered.body(head) : null;
	}

	/** Throws {@link IllegalArgumentException} if a header is too long to be stored. */
	public Outcome outcome(HttpServletRequest request, @Nullable Throwable thrown, byte[] body,
			Predicate<String> replayed) {
		if (this.buffered == null) {
			return Outcome.TOMBSTONE;
		}
		StoredResponse stored = (thrown != null) ? StoredResponse.error(SC_INTERNAL_SERVER_ERROR)
				: StoredResponse.of(this.buffered, body, CallerSecrets.of(request, this.secrets), replayed);
		return (stored != null) ? Outcome.stored(stored.encode()) : Outcome.TOMBSTONE;
	}

	/** Whether all of the response is held back. */
	public boolean isHeld() {
		return this.buffered != null && this.buffered.isHeld();
	}

	/** Sets a header that is not recorded, even if the response counts as committed. */
	public void announce(String header, String value) {
		this.original.setHeader(header, value);
	}

	/** Sends what is held back and all later writes, and records none of it. */
	public void passThrough() throws IOException {
		neverRecord();
		if (this.buffered != null) {
			this.buffered.passThrough();
		}
	}

	/** Discards a body that the operation regards as sent: an error follows. */
	public void uncommit() {
		if (this.buffered != null) {
			this.buffered.uncommit();
		}
	}

	/** For a refusal: of the submission, or of a lock or nested operation it needed. */
	public void startRefusal() {
		this.refusal = true;
		clear();
	}

	public boolean isRefusal() {
		return this.refusal && this.recordable;
	}

	public void neverRecord() {
		this.recordable = false;
	}

	public boolean isRecordable() {
		return this.recordable;
	}

	/** Discards body and headers. The status remains until it is overwritten. */
	public void clear() {
		if (this.buffered != null) {
			this.buffered.clear();
		}
	}

	public void sendBuffered() throws IOException {
		BufferedResponse complete = this.buffered;
		if (complete != null) {
			discardBuffered();
			complete.send();
		}
	}

	/**
	 * For another operation in the request: holds back again, unless the body is used.
	 */
	public void beginAnew() {
		if (this.buffered != null && !this.buffered.isUsed()) {
			discardBuffered();
			this.recordable = true;
		}
	}

	/** Holds nothing back any more. */
	public void discardBuffered() {
		BufferedResponse discarded = this.buffered;
		if (discarded != null) {
			this.buffered = null;
			replace(discarded, this.original);
		}
	}

	/**
	 * Discards the body before a forward, as containers do: Tomcat through wrappers,
	 * others only for their own response.
	 */
	public void beforeForward() {
		if (this.buffered != null && !this.buffered.isHidden() && !this.buffered.isCommitted()) {
			this.buffered.clearBody();
		}
	}

	/** Tomcat unwraps by this when it forwards or includes. */
	@Override
	public ServletResponse getResponse() {
		return front(super.getResponse());
	}

	private static ServletResponse front(ServletResponse response) {
		return (response instanceof BufferedResponse held) ? held.front() : response;
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		this.originalBodyUsed |= this.buffered == null;
		return super.getOutputStream();
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		this.originalBodyUsed |= this.buffered == null;
		return super.getWriter();
	}

	/** During an include, Tomcat inserts a wrapper of its own below this one. */
	private void replace(ServletResponse present, ServletResponse next) {
		if (super.getResponse() == present) {
			setResponse(next);
			return;
		}
		ServletResponseWrapper above = this;
		while (above.getResponse() != front(present) && above.getResponse() instanceof ServletResponseWrapper wrapper) {
			above = wrapper;
		}
		above.setResponse(front(next));
	}

}
