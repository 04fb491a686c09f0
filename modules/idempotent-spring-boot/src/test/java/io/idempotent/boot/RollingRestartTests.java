package io.idempotent.boot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.embedded.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes on real Tomcats are restarted one after the other, while clients submit over
 * persistent connections. As a load balancer does, they look at the readiness of each
 * node ten times a second, and leave one that refuses traffic or a connection.
 */
@Tag("slow")
class RollingRestartTests {

	private static final int CLIENTS = 8;

	private static final int ROUNDS = 3;

	/** How often each key was processed, on any node. */
	private static final Map<String, AtomicInteger> PROCESSED = new ConcurrentHashMap<>();

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS + 1);

	private final AtomicReferenceArray<ConfigurableApplicationContext> nodes = new AtomicReferenceArray<>(2);

	private final AtomicReferenceArray<Boolean> ready = new AtomicReferenceArray<>(new Boolean[] { false, false });

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final int[] ports = { Ports.findFree(), Ports.findFree() };

	private final AtomicBoolean over = new AtomicBoolean();

	private final AtomicInteger answered = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	private final List<String> failures = new CopyOnWriteArrayList<>();

	@BeforeEach
	void forget() {
		PROCESSED.clear();
	}

	@AfterEach
	void stop() {
		this.over.set(true);
		this.clients.shutdownNow();
		this.redis.close();
	}

	@Test
	void everySubmissionSucceedsAndIsProcessedOnce() {
		this.nodes.set(0, node(0));
		this.nodes.set(1, node(1));
		Future<?> balancing = this.clients.submit(this::balance);
		List<CompletableFuture<Void>> load = IntStream.range(0, CLIENTS)
			.mapToObj((client) -> CompletableFuture.runAsync(this::submit, this.clients))
			.toList();
		for (int restart = 0; restart < 2 * ROUNDS; restart++) {
			int node = restart % 2;
			awaitAnswers(200);
			this.nodes.get(node).close();
			this.nodes.set(node, node(node));
		}
		awaitAnswers(200);
		this.over.set(true);
		load.forEach(CompletableFuture::join);
		balancing.cancel(true);
		this.nodes.get(0).close();
		this.nodes.get(1).close();
		System.out.printf("%d restarts: %d submissions answered, %d connections refused, %d failures%n", 2 * ROUNDS,
				this.answered.get(), this.refused.get(), this.failures.size());
		assertThat(this.failures).isEmpty();
		assertThat(PROCESSED.values()).hasSize(this.answered.get()).allMatch((times) -> times.get() == 1);
	}

	private ConfigurableApplicationContext node(int node) {
		return StartUp.run(List.of(Orders.class), "server.port=" + this.ports[node], "spring.application.name=shop",
				"spring.data.redis.port=" + this.redis.port(), "idempotent.store.type=redis",
				"idempotent.lock.enabled=false", "logging.level.root=warn");
	}

	private void balance() {
		while (!this.over.get()) {
			for (int node = 0; node < 2; node++) {
				this.ready.set(node, isReady(this.nodes.get(node)));
			}
			LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
		}
	}

	private static boolean isReady(ConfigurableApplicationContext node) {
		try {
			return node.getBean(ApplicationAvailability.class).getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC;
		}
		catch (IllegalStateException ex) {
			// It is closed.
			return false;
		}
	}

	private void awaitAnswers(int more) {
		int goal = this.answered.get() + more;
		await().atMost(Duration.ofSeconds(30)).until(() -> this.answered.get() >= goal);
	}

	private void submit() {
		for (int number = 0; !this.over.get(); number++) {
			String key = UUID.randomUUID().toString();
			int node = number % 2;
			while (!this.ready.get(node) || !isAnswered(node, key)) {
				node = 1 - node;
			}
			this.answered.incrementAndGet();
		}
	}

	/** A failure is counted, and the submission is repeated with its key. */
	private boolean isAnswered(int node, String key) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.ports[node] + "/orders"))
			.header("Idempotency-Key", key)
			.POST(BodyPublishers.ofString("tea"))
			.build();
		try {
			HttpResponse<String> response = this.http.send(request, BodyHandlers.ofString());
			if (response.statusCode() != 200) {
				this.failures.add(response.statusCode() + " " + response.body());
			}
			return response.statusCode() == 200;
		}
		catch (IOException ex) {
			// The port is closed, or the connection was reset while it closed.
			this.refused.incrementAndGet();
			return false;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@RestController
	static class Orders {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		String place(@RequestHeader("Idempotency-Key") String key) {
			PROCESSED.computeIfAbsent(key, (same) -> new AtomicInteger()).incrementAndGet();
			return "placed";
		}

	}

}
