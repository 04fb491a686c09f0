package io.idempotent.calls;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.idempotent.calls.Cut.Direction;
import io.idempotent.client.IdempotentClientSettings;
import io.idempotent.client.UnknownOutcomeException;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.retry.RetryPolicy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A server remembers keys for a second, a client waits for longer between two attempts,
 * and the connection is cut before the response.
 */
class ForgottenKeyTests {

	private static final Duration RETENTION = Duration.ofSeconds(1);

	private static final IdempotentClientSettings WITHOUT_A_LIMIT = IdempotentClientSettings.builder()
		.retryPolicy(RetryPolicy.builder().delay(Duration.ofSeconds(3)).build())
		.build();

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
	@EnumSource(names = { "REST_CLIENT", "WEB_CLIENT" })
	void aClientThatKnowsTheTimeDoesNotRepeatAfterIt(Clients type) {
		proxy.arm(Cut.NONE);
		Clients.Client client = type.create(proxy.url(), WITHOUT_A_LIMIT, false);
		NewPayment first = payment();
		assertThat(client.pay(first)).isEqualTo(ledger.of(first.reference()).get(0));
		NewPayment payment = payment();
		cutResponse();
		assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> client.pay(payment))
			.withMessageContaining("remembers a key for 1 seconds");
		assertThat(ledger.of(payment.reference())).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "REST_CLIENT", "WEB_CLIENT" })
	void aClientThatDoesNotKnowItPaysTwice(Clients type) {
		NewPayment payment = payment();
		cutResponse();
		type.create(proxy.url(), WITHOUT_A_LIMIT, false).pay(payment);
		assertThat(ledger.of(payment.reference())).hasSize(2);
	}

}
