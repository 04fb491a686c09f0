package io.idempotent.client.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

import com.sun.net.httpserver.HttpServer;
import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.UnknownOutcomeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The keys that a peer sees from a {@code @Retryable} method, and from an HTTP interface
 * with such methods.
 */
class RetriedCallsTests {

	private final List<Received> received = new CopyOnWriteArrayList<>();

	private final AtomicInteger failures = new AtomicInteger();

	private volatile @Nullable String timeToLive;

	private HttpServer peer;

	private ApplicationContextRunner runner;

	@BeforeEach
	void start() throws IOException {
		this.peer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.peer.createContext("/", (exchange) -> {
			this.received.add(new Received(exchange.getRequestURI().getPath(),
					new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
					exchange.getRequestHeaders().getFirst("Idempotency-Key")));
			if (this.timeToLive != null) {
				exchange.getResponseHeaders().set("Idempotency-TTL", this.timeToLive);
			}
			exchange.sendResponseHeaders((this.failures.getAndDecrement() > 0) ? 500 : 200, -1);
			exchange.close();
		});
		this.peer.start();
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdempotentClientAutoConfiguration.class))
			.withUserConfiguration(Application.class)
			.withPropertyValues("peer=http://localhost:" + this.peer.getAddress().getPort());
	}

	@AfterEach
	void stop() {
		this.peer.stop(0);
	}

	@Test
	void eachAttemptSendsItsCallsUnderTheSameKeys() {
		run((shop) -> shop.retried((attempt) -> {
			shop.post("/orders", "book");
			shop.post("/payments", "book");
			shop.post("/payments", "pen");
			failUntil(attempt, 3);
		}));
		assertThat(this.received).hasSize(9);
		assertThat(keys("/orders", "book")).hasSize(1);
		assertThat(keys("/payments", "book")).hasSize(1);
		assertThat(keys("/payments", "pen")).hasSize(1).doesNotContainAnyElementsOf(keys("/payments", "book"));
	}

	@Test
	void equalCallsOfAnAttemptHaveKeysOfTheirOwn() {
		run((shop) -> shop.retried((attempt) -> {
			shop.post("/payments", "book");
			shop.post("/payments", "book");
		}));
		assertThat(keys("/payments", "book")).hasSize(2);
	}

	@Test
	void oneOfTwoEqualCallsIsNotTakenForTheOther() {
		Deque<String> queue = new ArrayDeque<>(List.of("book", "book"));
		refused((shop) -> shop.retried((attempt) -> shop.payAll(queue, 2)), "POST http://localhost:");
		assertThat(this.received).hasSize(2);
	}

	@Test
	void equalCallsAreRefusedAlsoWhereAllOfThemMayBeRepeated() {
		refused((shop) -> shop.retried((attempt) -> {
			shop.post("/payments", "book");
			shop.post("/payments", "book");
			failUntil(attempt, 2);
		}), "more than once");
		assertThat(this.received).hasSize(2);
	}

	@Test
	void aCallIsNotTakenForTheOneBeforeAnother() {
		Deque<String> queue = new ArrayDeque<>(List.of("book", "pen", "book"));
		refused((shop) -> shop.retried((attempt) -> shop.payAll(queue, 2)), "in another order");
		assertThat(this.received).hasSize(3);
	}

	@Test
	void aCallThatAnAttemptHasSkippedIsNotRepeatedLater() {
		Deque<String> queue = new ArrayDeque<>(List.of("book", "pen", "book"));
		refused((shop) -> shop.retried((attempt) -> {
			shop.payAll(queue, 2);
			failUntil(attempt, 3);
		}), "in another order");
		assertThat(this.received).extracting(Received::content).containsExactly("book", "pen", "pen");
	}

	@Test
	void aCallIsNotTakenForTheOneBeforeAnotherAddress() {
		refused((shop) -> shop.retried((attempt) -> {
			if (attempt == 1) {
				shop.post("/payments", "book");
			}
			shop.post("/orders", "book");
			failUntil(attempt, 2);
			shop.post("/payments", "book");
		}), "in another order");
		assertThat(this.received).filteredOn(Received::path, "/payments").hasSize(1);
	}

	@Test
	void anInnerRetryRepeatsTheSecondOfTwoEqualCalls() {
		run((shop) -> shop.retried((outer) -> {
			shop.post("/payments", "book");
			shop.inner((inner) -> {
				shop.post("/payments", "book");
				failUntil(inner, 2);
			});
		}));
		assertThat(this.received).hasSize(3);
		assertThat(this.received.get(2)).isEqualTo(this.received.get(1)).isNotEqualTo(this.received.get(0));
	}

	@Test
	void anAttemptThatSkipsADoneCallRepeatsTheNext() {
		Deque<String> queue = new ArrayDeque<>(List.of("book", "pen"));
		run((shop) -> shop.retried((attempt) -> shop.payAll(queue, 2)));
		assertThat(this.received).extracting(Received::content).containsExactly("book", "pen", "pen");
		assertThat(keys("/payments", "pen")).hasSize(1);
	}

	@Test
	void aKeyOfTheCallerTellsEqualCallsApart() {
		run((shop) -> shop.retried((attempt) -> {
			shop.post("/payments", "book", "first");
			shop.post("/payments", "book", "second");
			failUntil(attempt, 2);
		}));
		assertThat(this.received).extracting(Received::key).containsExactly("first", "second", "first", "second");
	}

	@Test
	void aFurtherCallGetsAKeyOfItsOwn() {
		run((shop) -> shop.retried((attempt) -> {
			shop.post("/payments", "book");
			failUntil(attempt, 2);
			shop.post("/payments", "pen");
		}));
		assertThat(this.received).hasSize(3);
		assertThat(keys("/payments", "book")).hasSize(1);
	}

	@Test
	void aCallThatMayBeAnEarlierOneWithOtherContentIsRefused() {
		run((shop) -> assertThatIllegalStateException().isThrownBy(() -> shop.retried((attempt) -> {
			shop.post("/payments", "book at " + attempt);
			failUntil(attempt, 2);
		})).withMessageContaining("POST http://localhost:").withMessageContaining("@DerivedKey"));
		assertThat(this.received).hasSize(1);
	}

	@Test
	void aCallWhoseKeyThePeerHasForgottenIsNotSentAgain() {
		this.timeToLive = "0";
		run((shop) -> assertThatExceptionOfType(UnknownOutcomeException.class)
			.isThrownBy(() -> shop.retried((attempt) -> {
				shop.post("/payments", "book");
				failUntil(attempt, 2);
			})));
		assertThat(this.received).hasSize(1);
	}

	@Test
	void twoInvocationsHaveTwoKeys() {
		run((shop) -> {
			shop.retried((attempt) -> shop.post("/payments", "book"));
			shop.retried((attempt) -> shop.post("/payments", "book"));
			shop.post("/payments", "book");
		});
		assertThat(keys("/payments", "book")).hasSize(3);
	}

	@Test
	void anInnerRetriedMethodBelongsToTheOuterOne() {
		run((shop) -> shop.retried((outer) -> {
			shop.inner((inner) -> {
				shop.post("/payments", "book");
				failUntil(inner, 2);
			});
			failUntil(outer, 2);
		}));
		assertThat(this.received).hasSize(3);
		assertThat(keys("/payments", "book")).hasSize(1);
	}

	@Test
	void aKeyOfTheCallerIsKept() {
		run((shop) -> shop.retried((attempt) -> {
			shop.post("/payments", "book at " + attempt, "mine");
			failUntil(attempt, 2);
		}));
		assertThat(this.received).extracting(Received::key).containsExactly("mine", "mine");
	}

	@Test
	void aRetriedHttpInterfaceSendsOneKey() {
		this.failures.set(2);
		this.runner.run((context) -> context.getBean(Payments.class).pay("book"));
		assertThat(this.received).hasSize(3);
		assertThat(keys("/payments", "book")).hasSize(1);
	}

	@Test
	void anHttpInterfaceThatFailsFinallySendsANewKeyNextTime() {
		this.failures.set(100);
		this.runner.run((context) -> {
			Payments payments = context.getBean(Payments.class);
			assertThatExceptionOfType(RestClientException.class).isThrownBy(() -> payments.pay("book"));
			assertThatExceptionOfType(RestClientException.class).isThrownBy(() -> payments.pay("book"));
		});
		assertThat(this.received).hasSize(8);
		assertThat(keys("/payments", "book")).hasSize(2);
	}

	private void refused(Consumer<Shop> work, String reason) {
		run((shop) -> assertThatIllegalStateException().isThrownBy(() -> work.accept(shop))
			.withMessageContaining(reason)
			.withMessageContaining("@DerivedKey"));
	}

	private static void failUntil(int attempt, int last) {
		if (attempt < last) {
			throw new IllegalArgumentException("planned");
		}
	}

	private Set<String> keys(String path, String content) {
		return Set.copyOf(this.received.stream()
			.filter((call) -> call.path().equals(path) && call.content().equals(content))
			.map(Received::key)
			.toList());
	}

	private void run(Consumer<Shop> test) {
		this.runner.run((ApplicationContext context) -> test.accept(context.getBean(Shop.class)));
	}

	record Received(String path, String content, String key) {
	}

	interface Payments {

		@PostExchange("/payments")
		@Retryable(maxRetries = 3, delay = 1)
		void pay(@RequestBody String content);

	}

	static class Shop {

		private final RestClient client;

		private final Inner inner;

		private final ThreadLocal<Integer> attempts = ThreadLocal.withInitial(() -> 0);

		Shop(RestClient client, Inner inner) {
			this.client = client;
			this.inner = inner;
		}

		@Retryable(maxRetries = 3, delay = 1)
		public void retried(IntConsumer work) {
			this.attempts.set(this.attempts.get() + 1);
			work.accept(this.attempts.get());
		}

		public void inner(IntConsumer work) {
			this.inner.retried(work);
		}

		/** Drops what is done. The call of this number fails in the first attempt. */
		public void payAll(Deque<String> queue, int failing) {
			for (int call = 1; !queue.isEmpty(); call++) {
				post("/payments", queue.element());
				if (this.attempts.get() == 1 && call == failing) {
					throw new IllegalArgumentException("planned");
				}
				queue.remove();
			}
		}

		public void post(String path, String content) {
			this.client.post().uri(path).body(content).retrieve().toBodilessEntity();
		}

		public void post(String path, String content, String key) {
			this.client.post().uri(path).header("Idempotency-Key", key).body(content).retrieve().toBodilessEntity();
		}

	}

	static class Inner {

		private final AtomicInteger attempts = new AtomicInteger();

		@Retryable(maxRetries = 3, delay = 1)
		public void retried(IntConsumer work) {
			work.accept(this.attempts.incrementAndGet());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Application {

		@Bean
		RestClient restClient(IdempotentClientInterceptor idempotent, Environment environment) {
			return RestClient.builder()
				.baseUrl(environment.getRequiredProperty("peer"))
				.requestInterceptor(idempotent)
				.build();
		}

		@Bean
		Payments payments(RestClient client) {
			return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
				.build()
				.createClient(Payments.class);
		}

		@Bean
		Inner inner() {
			return new Inner();
		}

		@Bean
		Shop shop(RestClient client, Inner inner) {
			return new Shop(client, inner);
		}

	}

}
