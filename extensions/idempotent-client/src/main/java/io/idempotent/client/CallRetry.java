package io.idempotent.client;

import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLPeerUnverifiedException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/** One call's retry policy: that of the settings, with the delay a response demanded. */
final class CallRetry implements RetryPolicy {

	private static final Log logger = LogFactory.getLog(CallRetry.class);

	private final IdempotentClientSettings settings;

	private final HttpMethod method;

	private final URI uri;

	private final AnnouncedTimes times;

	private final long start = System.nanoTime();

	private final AtomicInteger attempts = new AtomicInteger();

	private volatile Duration retryAfter = Duration.ZERO;

	private volatile @Nullable String failure;

	private volatile @Nullable Duration forgottenAfter;

	/** The first attempt begins at once. */
	CallRetry(IdempotentClientSettings settings, AnnouncedTimes times, HttpMethod method, URI uri) {
		this.settings = settings;
		this.times = times;
		this.method = method;
		this.uri = uri;
	}

	/** Fails if the wait has taken so long that the peer may have forgotten the key. */
	void begins() {
		if (this.attempts.get() > 0 && isForgottenAfter(elapsed())) {
			throw unknownOutcome(null);
		}
		this.attempts.incrementAndGet();
	}

	/** The head of a response, whose body may not have arrived. */
	void responds(HttpStatusCode status, HttpHeaders headers) {
		if (!IdempotentClientSettings.isReplay(headers)) {
			this.times.note(this.method, this.uri, status, headers);
		}
	}

	/** How the call ends instead of with its last failure, or {@code null}. */
	@Nullable UnknownOutcomeException unknownAfter(Throwable last) {
		return (this.forgottenAfter != null && !(last instanceof UnknownOutcomeException)) ? unknownOutcome(last)
				: null;
	}

	private UnknownOutcomeException unknownOutcome(@Nullable Throwable last) {
		Duration remembered = this.forgottenAfter;
		return new UnknownOutcomeException(AnnouncedTimes.operation(this.method, this.uri) + " failed (" + this.failure
				+ ") and is not repeated: the peer remembers a key for "
				+ ((remembered != null) ? remembered.toSeconds() : 0) + " seconds (" + AnnouncedTimes.HEADER
				+ "), and the next attempt would begin later. Whether the call took effect is unknown: ask the peer, or "
				+ "let the client repeat sooner", last);
	}

	/** Since the first attempt. */
	Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

	private boolean isForgottenAfter(Duration time) {
		Duration remembered = this.times.of(this.method, this.uri);
		boolean forgotten = remembered != null && time.compareTo(remembered) >= 0;
		this.forgottenAfter = forgotten ? remembered : null;
		return forgotten;
	}

	@Override
	public boolean shouldRetry(Throwable failure) {
		if (Thread.currentThread().isInterrupted() || failure instanceof UnknownOutcomeException) {
			return false;
		}
		if (failure instanceof RefusedAttemptException refused) {
			this.retryAfter = refused.retryAfter();
			this.failure = refused.getMessage();
			return true;
		}
		this.retryAfter = Duration.ZERO;
		this.failure = failure.toString();
		return isConnectionFailure(failure) && this.settings.retryPolicy().shouldRetry(failure);
	}

	/** Not if the peer's certificate is not trusted: then no attempt succeeds. */
	private static boolean isConnectionFailure(Throwable failure) {
		if (!(failure instanceof IOException)) {
			return false;
		}
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof GeneralSecurityException || cause instanceof SSLPeerUnverifiedException) {
				return false;
			}
		}
		return true;
	}

	@Override
	public Duration getTimeout() {
		return this.settings.retryPolicy().getTimeout();
	}

	@Override
	public BackOff getBackOff() {
		return () -> {
			BackOffExecution execution = this.settings.retryPolicy().getBackOff().start();
			return () -> atLeastRetryAfter(execution.nextBackOff());
		};
	}

	private long atLeastRetryAfter(long delay) {
		if (delay == BackOffExecution.STOP) {
			return delay;
		}
		long demanded = this.retryAfter.toMillis();
		// Clients refused at the same time would otherwise return at the same time.
		long wait = (demanded > delay) ? demanded + ThreadLocalRandom.current().nextLong(1 + demanded / 10) : delay;
		Duration due = elapsed().plusMillis(wait);
		if (!isTooLate(due) && isForgottenAfter(due)) {
			return BackOffExecution.STOP;
		}
		if (logger.isDebugEnabled()) {
			logger.debug("Attempt " + this.attempts.get() + " of " + AnnouncedTimes.operation(this.method, this.uri)
					+ " failed (" + this.failure + "): the next one is due in " + wait + " ms, with the same key");
		}
		return wait;
	}

	/** Whether an attempt that begins after this time exceeds the policy's time-out. */
	boolean isTooLate(Duration due) {
		return !getTimeout().isZero() && due.compareTo(getTimeout()) >= 0;
	}

	void logNotRepeatable() {
		logger.warn(AnnouncedTimes.operation(this.method, this.uri)
				+ " failed and is not repeated: its body is a stream, or larger than the " + this.settings.maxBody()
				+ " bytes that are held in memory");
	}

}
