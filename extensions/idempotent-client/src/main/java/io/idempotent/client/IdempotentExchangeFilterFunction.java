package io.idempotent.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.http.HttpHeaders;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientRequestException;

/**
 * Makes the calls of a {@code WebClient}, or of an HTTP interface on one, idempotent:
 * each call gets a key, and is repeated under that key after a connection failure, a 409
 * in progress, or a status such as 503. No thread waits between attempts, and nothing is
 * repeated once the subscription is cancelled.
 *
 * <p>
 * Register it as the first filter. The filters after it see each attempt, so that one of
 * them can add a fresh access token.
 *
 * <p>
 * If no attempt succeeds, the call ends as the last one did: with its response or its
 * exception; or with an {@link UnknownOutcomeException} where a repeat would begin after
 * the time for which the peer has announced to remember keys. Each subscription is a
 * call: an operator such as {@code retry} after the client makes another one, unless the
 * caller sets the key header itself.
 */
public final class IdempotentExchangeFilterFunction implements ExchangeFilterFunction {

	private final IdempotentClientSettings settings;

	private final AnnouncedTimes times = new AnnouncedTimes();

	public IdempotentExchangeFilterFunction(IdempotentClientSettings settings) {
		this.settings = settings;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		if (!this.settings.appliesTo(request.method(), request.url())) {
			return next.exchange(request);
		}
		return Mono.defer(() -> new Call(this.settings, this.times, request, next).exchange());
	}

	/** One call: its key, its body, and how often it was tried. */
	private static final class Call {

		/** How long a refusal's body is read, so that its connection is reused. */
		private static final Duration RELEASE = Duration.ofSeconds(1);

		private final IdempotentClientSettings settings;

		private final ExchangeFunction next;

		private final RepeatableBody body;

		private final ClientRequest request;

		private final CallRetry retry;

		private final BackOffExecution backOff;

		Call(IdempotentClientSettings settings, AnnouncedTimes times, ClientRequest request, ExchangeFunction next) {
			this.settings = settings;
			this.next = next;
			this.body = new RepeatableBody(request.body(), settings.maxBody());
			HttpHeaders keyed = settings.withKey(request.headers());
			this.request = ClientRequest.from(request)
				.headers((headers) -> headers.putAll(keyed))
				.body(this.body)
				.build();
			this.retry = new CallRetry(settings, times, request.method(), request.url());
			this.backOff = this.retry.getBackOff().start();
		}

		Mono<ClientResponse> exchange() {
			return Mono.defer(this::attempt)
				.retryWhen(Retry.from((failures) -> failures.concatMap((signal) -> waitAfter(signal.failure()))))
				.onErrorResume(RefusedAttemptException.class,
						(refused) -> Mono.just(refused.response(ClientResponse.class)));
		}

		private Mono<ClientResponse> attempt() {
			this.retry.begins();
			return this.next.exchange(this.request).flatMap(this::hold).flatMap(this::accept);
		}

		private Mono<Ended> hold(ClientResponse response) {
			HttpHeaders headers = response.headers().asHttpHeaders();
			this.retry.responds(response.statusCode(), headers);
			if (BodyLimits.passes(headers, this.settings.maxBody())) {
				return Mono.just(end(response, new byte[0]));
			}
			return HeldBody.of(response.body((message, context) -> message.getBody()), this.settings.maxBody())
				.flatMap((content) -> Mono.fromCallable(() -> hold(response, headers, content)))
				.onErrorMap((failure) -> !(failure instanceof WebClientException),
						(failure) -> new WebClientRequestException(failure, this.request.method(), this.request.url(),
								this.request.headers()));
		}

		private Ended hold(ClientResponse response, HttpHeaders headers, HeldBody content) throws IOException {
			byte[] bytes = content.bytes();
			if (bytes != null) {
				BodyLimits.requireWhole(this.request.method(), response.statusCode(), headers, bytes.length);
			}
			ClientResponse held = response.mutate().body((consumed) -> content.content()).build();
			return end(held, (bytes != null) ? bytes : new byte[0]);
		}

		private Ended end(ClientResponse response, byte[] body) {
			return new Ended(response,
					this.settings.isRepeatedAfter(response.statusCode(), response.headers().asHttpHeaders(), body));
		}

		private Mono<ClientResponse> accept(Ended attempt) {
			ClientResponse response = attempt.response();
			return attempt.refused() ? Mono
				.error(new RefusedAttemptException(response, response.statusCode(), response.headers().asHttpHeaders()))
					: Mono.just(response);
		}

		/** Emits when the next attempt is due, or ends with the failure. */
		private Mono<Long> waitAfter(Throwable failure) {
			if (!this.retry.shouldRetry(connectionFailure(failure))) {
				return Mono.error(failure);
			}
			if (!this.body.isRepeatable()) {
				this.retry.logNotRepeatable();
				return Mono.error(failure);
			}
			long delay = this.backOff.nextBackOff();
			UnknownOutcomeException unknown = this.retry.unknownAfter(failure);
			if (unknown != null) {
				return release(failure).then(Mono.error(unknown));
			}
			if (delay == BackOffExecution.STOP || this.retry.isTooLate(this.retry.elapsed().plusMillis(delay))) {
				return Mono.error(failure);
			}
			return release(failure).then(Mono.delay(Duration.ofMillis(delay)));
		}

		/** A body that is not in memory may be endless, so its connection is closed. */
		private static Mono<Void> release(Throwable failure) {
			return (failure instanceof RefusedAttemptException refused)
					? refused.response(ClientResponse.class).releaseBody().onErrorComplete().take(RELEASE)
					: Mono.empty();
		}

		/** Netty's exceptions are no I/O exceptions, which blocking clients throw. */
		private static Throwable connectionFailure(Throwable failure) {
			Throwable cause = (failure instanceof WebClientRequestException ex) ? ex.getCause() : failure;
			boolean wrap = cause instanceof TimeoutException
					|| (failure instanceof WebClientRequestException && !(cause instanceof IOException));
			return wrap ? new IOException(cause) : (cause != null) ? cause : failure;
		}

		private record Ended(ClientResponse response, boolean refused) {
		}

	}

}
