package io.idempotent.client;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;

/**
 * Makes the calls of a {@code RestClient}, a {@code RestTemplate} or an HTTP interface on
 * one of them idempotent: each call gets a key, and is repeated under that key after a
 * connection failure, a 409 in progress, or a status such as 503. The thread waits
 * between attempts; once it is interrupted, nothing is repeated.
 *
 * <p>
 * Register it as the first interceptor. The interceptors after it see each attempt, so
 * that one of them can add a fresh access token. The request body is in memory anyway,
 * since Spring holds it for interceptors.
 *
 * <p>
 * If no attempt succeeds, the call ends as the last one did: with its response or its
 * exception; or with an {@link UnknownOutcomeException} where a repeat would begin after
 * the time for which the peer has announced to remember keys. A caller that then calls
 * again makes another call, unless it sets the key header itself.
 */
public final class IdempotentClientInterceptor implements ClientHttpRequestInterceptor, Ordered {

	/** Before the interceptors of the application, if they are sorted. */
	public static final int DEFAULT_ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final IdempotentClientSettings settings;

	private final AnnouncedTimes times = new AnnouncedTimes();

	public IdempotentClientInterceptor(IdempotentClientSettings settings) {
		this.settings = settings;
	}

	@Override
	public int getOrder() {
		return DEFAULT_ORDER;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		if (!this.settings.appliesTo(request.getMethod(), request.getURI())) {
			return execution.execute(request, body);
		}
		HttpHeaders keyed = this.settings.withKey(request.getHeaders());
		CallRetry retry = new CallRetry(this.settings, this.times, request.getMethod(), request.getURI());
		try {
			return new RetryTemplate(retry).execute(new Call(this.settings, request, keyed, body, execution, retry));
		}
		catch (RetryException ex) {
			return resultOf(ex, retry);
		}
	}

	/** The call ends as its last attempt did, unless a repeat might run again. */
	private static ClientHttpResponse resultOf(RetryException ex, CallRetry retry) throws IOException {
		Throwable last = ex.getLastException();
		UnknownOutcomeException unknown = retry.unknownAfter(last);
		if (last instanceof RefusedAttemptException refused) {
			ClientHttpResponse response = refused.response(ClientHttpResponse.class);
			if (unknown == null) {
				return response;
			}
			response.close();
		}
		if (unknown != null) {
			throw unknown;
		}
		for (Throwable earlier : ex.getSuppressed()) {
			if (earlier != last) {
				last.addSuppressed(earlier);
			}
		}
		if (last instanceof IOException io) {
			throw io;
		}
		if (last instanceof Error error) {
			throw error;
		}
		throw (RuntimeException) last;
	}

	/** One call. Each execution is an attempt. */
	private static final class Call implements Retryable<ClientHttpResponse> {

		private final IdempotentClientSettings settings;

		private final HttpRequest request;

		private final HttpHeaders headers;

		private final byte[] body;

		private final ClientHttpRequestExecution execution;

		private final CallRetry retry;

		private @Nullable HeldResponse refused;

		Call(IdempotentClientSettings settings, HttpRequest request, HttpHeaders headers, byte[] body,
				ClientHttpRequestExecution execution, CallRetry retry) {
			this.settings = settings;
			this.request = request;
			this.headers = headers;
			this.body = body;
			this.execution = execution;
			this.retry = retry;
		}

		@Override
		public ClientHttpResponse execute() throws IOException {
			if (this.refused != null) {
				this.refused.close();
			}
			this.retry.begins();
			HeldResponse response = hold(
					this.execution.execute(new AttemptRequest(this.request, this.headers), this.body));
			if (!this.settings.isRepeatedAfter(response.getStatusCode(), response.getHeaders(), response.held())) {
				return response;
			}
			this.refused = response;
			throw new RefusedAttemptException(response, response.getStatusCode(), response.getHeaders());
		}

		private HeldResponse hold(ClientHttpResponse response) throws IOException {
			try {
				this.retry.responds(response.getStatusCode(), response.getHeaders());
				return HeldResponse.of(this.request.getMethod(), response, this.settings.maxBody());
			}
			catch (IOException | RuntimeException ex) {
				response.close();
				throw ex;
			}
		}

		/** With its own headers, so that those of interceptors do not accumulate. */
		private static final class AttemptRequest extends HttpRequestWrapper {

			private final HttpHeaders headers;

			AttemptRequest(HttpRequest request, HttpHeaders headers) {
				super(request);
				this.headers = HttpHeaders.copyOf(headers);
			}

			@Override
			public HttpHeaders getHeaders() {
				return this.headers;
			}

		}

	}

}
