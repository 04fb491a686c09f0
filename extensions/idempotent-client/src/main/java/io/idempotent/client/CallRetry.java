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
import org.springframework.http.HttpMethod;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/** One call's retry policy: that of the settings, with the delay a response demanded. */
final class CallRetry implements RetryPolicy {

	private static final Log logger = LogFactory.getLog(CallRetry.class);

	private final IdempotentClientSettings settings;

	private final HttpMethod method;

	private final URI uri;

	private final AtomicInteger attempts = new AtomicInteger();

	private volatile Duration retryAfter = Duration.ZERO;

	private volatile @Nullable String failure;

	CallRetry(IdempotentClientSettings settings, HttpMethod method, URI uri) {
		this.settings = settings;
		this.method = method;
		this.uri = uri;
	}

	void begins() {
		this.attempts.incrementAndGet();
	}

	void ends(CallResult result) {
		IdempotentClientListener.Attempt attempt = new IdempotentClientListener.Attempt(this.method, this.uri,
				this.attempts.get(), result);
		this.settings.listeners().forEach((listener) -> tell(listener, attempt));
	}

	/** A failing listener must not deprive the caller of the response. */
	private void tell(IdempotentClientListener listener, IdempotentClientListener.Attempt attempt) {
		try {
			listener.onAttempt(attempt);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener failed after attempt " + attempt.number() + " of " + description(), ex);
		}
	}

	@Override
	public boolean shouldRetry(Throwable failure) {
		if (Thread.currentThread().isInterrupted()) {
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
		if (logger.isDebugEnabled()) {
			logger.debug("Attempt " + this.attempts.get() + " of " + description() + " failed (" + this.failure
					+ "): the next one is due in " + wait + " ms, with the same key");
		}
		return wait;
	}

	void logNotRepeatable() {
		logger.warn(description() + " failed and is not repeated: its body is a stream, or larger than the "
				+ this.settings.maxBody() + " bytes that are held in memory");
	}

	/** Without user and query, which may contain secrets. */
	private String description() {
		String port = (this.uri.getPort() != -1) ? ":" + this.uri.getPort() : "";
		return this.method + " " + this.uri.getScheme() + "://" + this.uri.getHost() + port + this.uri.getRawPath();
	}

}
