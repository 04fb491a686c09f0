package io.idempotent.calls;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.idempotent.calls.Cut.Direction;
import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.IdempotentClientSettings;
import io.idempotent.client.IdempotentExchangeFilterFunction;
import io.idempotent.client.UnknownOutcomeException;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A server remembers keys for a second, a client waits for longer between two attempts,
 * and the connection is cut before the response.
 */
class ForgottenKeyTests {

	private static final Duration RETENTION = Duration.ofSeconds(1);

	private static final Duration DELAY = Duration.ofSeconds(3);

	private static final Ledger ledger = new Ledger();

	private static EmbeddedRedis redis;

	private static PaymentServer server;

	private static CuttingProxy proxy;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = PaymentServer.start(ledger, redis.port(), "idempotent.defaults.retention=" + RETENTION);
		proxy = new CuttingProxy(List.of(server.port()));
	}

	@AfterAll
	static void stop() throws IOException {
		proxy.close();
		server.close();
		redis.close();
	}

	private static NewPayment payment() {
		return new NewPayment(UUID.randomUUID().toString(), 100);
	}

	private static void cutResponse() {
		proxy.arm(new Cut(Direction.RESPONSE, 0, 1));
	}

	@ParameterizedTest
	@EnumSource
	void aClientThatKnowsTheTimeDoesNotRepeatAfterIt(Type type) {
		proxy.arm(Cut.NONE);
		Clients.Client client = type.create(DELAY);
		NewPayment first = payment();
		assertThat(client.pay(first)).isEqualTo(ledger.of(first.reference()).get(0));
		NewPayment payment = payment();
		cutResponse();
		assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> client.pay(payment))
			.withMessageContaining("remembers a key for 1 seconds");
		assertThat(ledger.of(payment.reference())).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void aClientThatDoesNotKnowItPaysTwice(Type type) {
		NewPayment payment = payment();
		cutResponse();
		type.create(DELAY).pay(payment);
		assertThat(ledger.of(payment.reference())).hasSize(2);
	}

	/**
	 * A client without a limit of time.
	 */
	enum Type {

		REST_CLIENT {

			@Override
			Clients.Client create(Duration delay) {
				RestClient client = Clients.restClient(proxy.url(), false)
					.mutate()
					.requestInterceptors((present) -> present.set(0, new IdempotentClientInterceptor(settings(delay))))
					.build();
				return (payment) -> Objects
					.requireNonNull(client.post().uri("/payments").body(payment).retrieve().body(Payment.class));
			}

		},

		WEB_CLIENT {

			@Override
			Clients.Client create(Duration delay) {
				WebClient client = WebClient.builder()
					.baseUrl(proxy.url())
					.filter(new IdempotentExchangeFilterFunction(settings(delay)))
					.build();
				return (payment) -> Objects.requireNonNull(
						client.post().uri("/payments").bodyValue(payment).retrieve().bodyToMono(Payment.class).block());
			}

		};

		abstract Clients.Client create(Duration delay);

		private static IdempotentClientSettings settings(Duration delay) {
			return IdempotentClientSettings.builder().retryPolicy(RetryPolicy.builder().delay(delay).build()).build();
		}

	}

}
