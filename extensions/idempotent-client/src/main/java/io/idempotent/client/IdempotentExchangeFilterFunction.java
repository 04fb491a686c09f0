package io.idempotent.client;

import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

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
 * exception. Each subscription is a call: an operator such as {@code retry} after the
 * client makes another one, unless the caller sets the key header itself.
 */
public final class IdempotentExchangeFilterFunction implements ExchangeFilterFunction {

	private final IdempotentClientSettings settings;

	/**
	 * Creates a filter.
	 * @param settings the settings
	 */
	public IdempotentExchangeFilterFunction(IdempotentClientSettings settings) {
		this.settings = settings;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		if (!this.settings.appliesTo(request.method(), request.url())) {
			return next.exchange(request);
		}
		return Mono.defer(() -> new ReactiveCall(this.settings, request, next).exchange());
	}

}
