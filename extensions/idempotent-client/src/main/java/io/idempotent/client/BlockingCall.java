package io.idempotent.client;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import org.springframework.core.retry.Retryable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;

/**
 * One call of a blocking client. Each execution is an attempt.
 */
final class BlockingCall implements Retryable<ClientHttpResponse> {

	private final IdempotentClientSettings settings;

	private final HttpRequest request;

	private final HttpHeaders headers;

	private final byte[] body;

	private final ClientHttpRequestExecution execution;

	private final CallRetry retry;

	private @Nullable HeldResponse refused;

	BlockingCall(IdempotentClientSettings settings, HttpRequest request, byte[] body,
			ClientHttpRequestExecution execution, CallRetry retry) {
		this.settings = settings;
		this.request = request;
		this.headers = settings.withKey(request.getHeaders());
		this.body = body;
		this.execution = execution;
		this.retry = retry;
	}

	@Override
	public ClientHttpResponse execute() throws IOException {
		closeRefused();
		this.retry.begins();
		HeldResponse response = response();
		CallResult result = this.settings.resultOf(response.getStatusCode(), response.getHeaders(), response.held());
		this.retry.ends(result);
		if (result.isFinal()) {
			return response;
		}
		this.refused = response;
		throw new RefusedAttemptException(response, response.getStatusCode(), response.getHeaders());
	}

	private void closeRefused() {
		HeldResponse response = this.refused;
		if (response != null) {
			response.close();
		}
	}

	private HeldResponse response() throws IOException {
		try {
			ClientHttpResponse response = this.execution.execute(new AttemptRequest(this.request, this.headers),
					this.body);
			return hold(response);
		}
		catch (IOException ex) {
			this.retry.ends(CallResult.CONNECTION_FAILED);
			throw ex;
		}
	}

	private HeldResponse hold(ClientHttpResponse response) throws IOException {
		try {
			return HeldResponse.of(this.request.getMethod(), response, this.settings.maxBody());
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	/**
	 * The request of one attempt, with its own headers, so that headers added by
	 * interceptors do not accumulate.
	 */
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
