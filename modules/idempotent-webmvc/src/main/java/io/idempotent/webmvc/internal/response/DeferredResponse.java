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
 *   OpaqueResponse           on Tomcat only: hides what is below from Tomcat
 *     BufferedResponse       behaves like a container's response, and holds it back
 *       HeaderRecorder       its base class: notes headers, as OperationHeaders
 *       DeferredBody         its output stream: keeps the bytes, as ByteSegments
 *         DeferredWriter     its writer, on top of the stream
 *       ResponseEnd          how the response ended: body, sendError or sendRedirect
 *         the container's response
 * </pre> When the request ends, {@code ResponseOutcome} turns what was held back into a
 * {@link StoredResponse}, unless it contains what a repeat must not see, such as
 * {@code CallerSecrets}. Then the response is sent.
 */
public final class DeferredResponse extends HttpServletResponseWrapper {

	private final HttpServletResponse original;

	/** Present while the response is held back. */
	private @Nullable BufferedResponse buffered;

	/** The response to which this wrapper delegates. */
	private ServletResponse target;

	private boolean originalBodyUsed;

	/** Texts that a repeat must not see, besides the session id. */
	private final Set<String> secrets = ConcurrentHashMap.newKeySet(1);

	private volatile Source source = Source.OPERATION;

	/**
	 * Wraps a response.
	 * @param response the response
	 */
	public DeferredResponse(HttpServletResponse response) {
		super(response);
		this.original = response;
		this.target = response;
	}

	/**
	 * Holds the response back from now on. Does nothing if it is held back already, or if
	 * the original stream or writer was already obtained: its output cannot be held back.
	 * @param limit how many bytes are held back at most
	 */
	public void startBuffering(int limit) {
		if (this.buffered == null && !this.originalBodyUsed) {
			boolean tomcat = isTomcat();
			this.buffered = new BufferedResponse(this.original, limit, tomcat);
			this.target = (tomcat && !OpaqueResponse.isIncluding(this.original)) ? new OpaqueResponse(this.buffered)
					: this.buffered;
			replace(this.original, this.target);
		}
	}

	/**
	 * Hides a text from repeats: a response that contains it is not stored.
	 * @param secret an ASCII text
	 */
	void keepSecret(String secret) {
		this.secrets.add(secret);
	}

	/**
	 * Whether the response is held back.
	 */
	public boolean isBuffering() {
		return this.buffered != null;
	}

	/**
	 * Whether the container is Tomcat, which differs from others in some details.
	 */
	public boolean isTomcat() {
		return OpaqueResponse.isOfTomcat(this.original);
	}

	/**
	 * Whether the client has disconnected, as a failed write of a response that exceeded
	 * the limit has shown.
	 */
	public boolean isClientGone() {
		return this.buffered != null && this.buffered.isClientGone();
	}

	/**
	 * The complete body that is held back.
	 * @param head whether the request is a HEAD request, whose declared length need not
	 * match
	 * @return the body, or {@code null} if it is not held back, or incomplete
	 */
	public byte @Nullable [] body(boolean head) {
		return (this.buffered != null) ? this.buffered.body(head) : null;
	}

	/**
	 * The outcome to record for the response that is held back.
	 * @param request the request
	 * @param thrown the exception that ended the request, or {@code null}
	 * @param body the body
	 * @param replayed which headers are stored and replayed
	 * @return the stored response, or a tombstone if it must not be replayed
	 * @throws IllegalArgumentException if a header is too long to be stored
	 */
	public Outcome outcome(HttpServletRequest request, @Nullable Throwable thrown, byte[] body,
			Predicate<String> replayed) {
		if (this.buffered == null) {
			return Outcome.TOMBSTONE;
		}
		return (thrown != null) ? ResponseOutcome.ofError(SC_INTERNAL_SERVER_ERROR)
				: ResponseOutcome.of(CallerSecrets.of(request, this.secrets), this.buffered, body, replayed);
	}

	/**
	 * Sends what is held back, passes later writes to the client directly, and records
	 * nothing of the response.
	 * @throws IOException if the client has disconnected
	 */
	public void stream() throws IOException {
		neverRecord();
		if (this.buffered != null) {
			this.buffered.pass();
		}
	}

	/**
	 * Discards a body that the operation regards as sent, so that an error can be written
	 * instead.
	 */
	public void reopen() {
		if (this.buffered != null) {
			this.buffered.reopen();
		}
	}

	/**
	 * Discards the operation's body, since a refusal will be written instead: of the
	 * submission, or of a lock or nested operation that the operation needed.
	 */
	public void startRefusal() {
		replaceSource(Source.REFUSAL);
		startReplay();
	}

	/**
	 * Whether the response is a refusal that may be recorded.
	 * @return whether {@link #startRefusal()} was called, but not {@link #neverRecord()}
	 */
	public boolean isRefusal() {
		return this.source == Source.REFUSAL;
	}

	/**
	 * Marks the response as one that a repeat must not receive.
	 */
	public void neverRecord() {
		replaceSource(Source.NOT_RECORDABLE);
	}

	/**
	 * Whether a repeat may receive the response.
	 * @return {@code false} after {@link #neverRecord()} or {@link #stream()}
	 */
	public boolean isRecordable() {
		return this.source != Source.NOT_RECORDABLE;
	}

	private synchronized void replaceSource(Source next) {
		if (next.compareTo(this.source) > 0) {
			this.source = next;
		}
	}

	/**
	 * Discards the body, so that a stored one can be written.
	 */
	public void startReplay() {
		if (this.buffered != null) {
			this.buffered.restart();
		}
	}

	/**
	 * Discards the operation's response, so that another one takes its place.
	 */
	public void retract() {
		if (this.buffered != null) {
			this.buffered.restart();
			this.buffered.removeHeaders();
		}
	}

	/**
	 * Ends the response: sends what is held back.
	 * @throws IOException if the client has disconnected
	 */
	public void send() throws IOException {
		BufferedResponse complete = this.buffered;
		if (complete != null) {
			discard();
			complete.send();
		}
	}

	/**
	 * Discards what is held back, since the container writes an error response.
	 */
	public void discard() {
		if (this.buffered != null) {
			this.buffered = null;
			replace(this.target, this.original);
		}
	}

	/**
	 * Discards the body before a forward, as containers do. Tomcat does it itself through
	 * wrappers; others reset only their own response.
	 */
	public void beforeForward() {
		if (this.buffered != null && this.target == this.buffered && !this.buffered.isCommitted()) {
			this.buffered.resetBuffer();
		}
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

	/**
	 * Replaces the innermost response. During an include, Tomcat inserts a wrapper of its
	 * own below this one.
	 */
	private void replace(ServletResponse present, ServletResponse next) {
		ServletResponseWrapper above = this;
		while (above.getResponse() != present && above.getResponse() instanceof ServletResponseWrapper wrapper) {
			above = wrapper;
		}
		above.setResponse(next);
	}

	/**
	 * The source of the response. A later constant replaces an earlier one.
	 */
	private enum Source {

		OPERATION, REFUSAL, NOT_RECORDABLE

	}

}
