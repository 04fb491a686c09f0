package io.idempotent.calls;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.idempotent.calls.Cut.Direction;
import io.idempotent.calls.ShopServer.Crash;
import io.idempotent.calls.ShopServer.Keys;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.web.client.HttpServerErrorException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever connection is cut, a call takes effect once, and the client ends with the
 * first response. Two payment servers share a Redis; the proxy leads each connection to
 * the other one.
 */
class ClientTests {

	private static final Ledger ledger = new Ledger();

	private static EmbeddedRedis redis;

	private static List<PaymentServer> servers;

	private static CuttingProxy proxy;

	private static ShopServer shop;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		servers = List.of(PaymentServer.start(ledger, redis.port()), PaymentServer.start(ledger, redis.port()));
		proxy = new CuttingProxy(servers.stream().map(PaymentServer::port).toList());
		shop = ShopServer.start(proxy.url(), redis.port());
	}

	@AfterAll
	static void stop() throws IOException {
		shop.close();
		proxy.close();
		servers.forEach(PaymentServer::close);
		redis.close();
	}

	private static NewPayment payment() {
		proxy.arm(Cut.NONE);
		return new NewPayment(UUID.randomUUID().toString(), 100);
	}

	@Nested
	class CutConnections {

		@ParameterizedTest
		@EnumSource
		void aCallTakesEffectOnceWhereverItIsCut(Clients client) {
			Sweep sweep = new Sweep(proxy, ledger);
			assertThat(sweep.run(client.create(proxy.url(), false), 43, 1)).isEmpty();
			assertThat(sweep.trials()).isGreaterThan(12);
		}

		@ParameterizedTest
		@EnumSource
		@Tag("slow")
		void aCallTakesEffectOnceWhereverThreeAttemptsAreCut(Clients client) {
			assertThat(new Sweep(proxy, ledger).run(client.create(proxy.url(), false), 7, 3)).isEmpty();
		}

		/** It takes a response that is cut within its headers for a whole one. */
		@Test
		void urlConnectionMayLoseAResponseButRepeatsNoEffect() {
			assertThat(new Sweep(proxy, ledger).run(Clients.onUrlConnection(proxy.url()), 29, 1)).isNotEmpty()
				.allMatch((wrong) -> wrong.contains("direction=RESPONSE") && wrong.contains("Exception"))
				.allMatch((wrong) -> wrong.split("Payment\\[", -1).length == 2);
		}

		@ParameterizedTest
		@EnumSource(names = { "REST_CLIENT", "REST_TEMPLATE", "WEB_CLIENT" })
		void theCheckFindsANewKeyForEachAttempt(Clients client) {
			assertThat(new Sweep(proxy, ledger).run(client.create(proxy.url(), true), 150, 1)).isNotEmpty()
				.anyMatch((wrong) -> wrong.contains("direction=RESPONSE"));
		}

	}

	@Nested
	class RunningElsewhere {

		@ParameterizedTest
		@EnumSource(names = { "REST_CLIENT", "WEB_CLIENT" })
		void aRunningPaymentIsWaitedFor(Clients type) throws Exception {
			Clients.Client client = type.create(proxy.url(), false);
			client.pay(payment());
			int length = proxy.requestBytes();
			NewPayment payment = payment();
			CountDownLatch latch = new CountDownLatch(1);
			servers.forEach((server) -> server.hold(latch));
			Cut afterTheRequest = new Cut(Direction.REQUEST, length, 1);
			proxy.arm(afterTheRequest);
			CompletableFuture<Payment> call = CompletableFuture.supplyAsync(() -> client.pay(payment));
			try {
				assertThat(proxy.awaitCut(afterTheRequest)).isTrue();
			}
			finally {
				// The first repeat comes within this time and finds the payment running.
				CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS).execute(latch::countDown);
			}
			assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo(ledger.of(payment.reference()).get(0));
			assertThat(ledger.of(payment.reference())).hasSize(1);
		}

	}

	@Nested
	class Chains {

		@Test
		void aRunThatCrashedRepeatsTheCallUnderTheSameKey() {
			NewPayment payment = payment();
			String key = UUID.randomUUID().toString();
			assertThatExceptionOfType(HttpServerErrorException.InternalServerError.class)
				.isThrownBy(() -> shop.order(payment, key, Crash.THROW, Keys.DERIVED));
			assertThat(ledger.of(payment.reference())).hasSize(1);
			Payment response = shop.order(payment, key, Crash.THROW, Keys.DERIVED);
			assertThat(ledger.of(payment.reference())).containsExactly(response);
		}

		@Test
		void theCheckFindsAChainWithoutDerivedKeys() {
			NewPayment payment = payment();
			String key = UUID.randomUUID().toString();
			assertThatExceptionOfType(HttpServerErrorException.InternalServerError.class)
				.isThrownBy(() -> shop.order(payment, key, Crash.THROW, Keys.DRAWN));
			shop.order(payment, key, Crash.THROW, Keys.DRAWN);
			assertThat(ledger.of(payment.reference())).hasSize(2);
		}

		@Test
		void anEndToEndChainSurvivesCutsOnBothWays() throws IOException {
			try (CuttingProxy front = new CuttingProxy(List.of(shop.port()))) {
				Clients.Client client = ShopServer.client(front.url());
				proxy.arm(Cut.NONE);
				assertThat(new Sweep(front, ledger).run(client, 120, 1)).isEmpty();
				for (Direction direction : List.of(Direction.REQUEST, Direction.RESPONSE)) {
					NewPayment payment = payment();
					proxy.arm(new Cut(direction, 100, 2));
					front.arm(new Cut(direction, 100, 1));
					assertThat(client.pay(payment)).isEqualTo(ledger.of(payment.reference()).get(0));
					assertThat(ledger.of(payment.reference())).hasSize(1);
				}
			}
		}

		@Test
		@Tag("slow")
		void anotherNodeTakesOverFromAProcessThatDied() throws Exception {
			NewPayment payment = payment();
			String key = UUID.randomUUID().toString();
			try (JavaProcess process = JavaProcess.start(ShopServer.class,
					List.of(proxy.url(), String.valueOf(redis.port())))) {
				String url = "http://localhost:" + process.await(ShopServer.LISTENING + "(\\d+)");
				assertThatExceptionOfType(RuntimeException.class)
					.isThrownBy(() -> ShopServer.order(url, payment, key, Crash.HALT, Keys.DERIVED));
			}
			assertThat(ledger.of(payment.reference())).hasSize(1);
			Payment response = shop.orderUntilDone(payment, key, Crash.HALT);
			assertThat(ledger.of(payment.reference())).containsExactly(response);
		}

	}

}
