package io.idempotent.versions;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.idempotent.versions.Shop.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Customers who submit each order twice at once, at two nodes, and repeat it until they
 * have a final response.
 */
final class Customers implements AutoCloseable {

	private static final int CUSTOMERS = 3;

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final Supplier<List<Shop>> nodes;

	private final AtomicInteger articles = new AtomicInteger();

	private final Map<String, Set<String>> responses = new ConcurrentHashMap<>();

	private final Semaphore placed = new Semaphore(0);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CompletableFuture<?>[] customers = new CompletableFuture<?>[CUSTOMERS];

	private volatile boolean finishing;

	Customers(Supplier<List<Shop>> nodes) {
		this.nodes = nodes;
		for (int i = 0; i < CUSTOMERS; i++) {
			this.customers[i] = CompletableFuture.runAsync(this::shop, this.threads);
		}
	}

	void awaitOrders(int count) throws InterruptedException {
		assertThat(this.placed.tryAcquire(count, 2, TimeUnit.MINUTES)).as("%s orders", count).isTrue();
	}

	/** Lets all end, and returns the different responses by article. */
	Map<String, Set<String>> finish() {
		this.finishing = true;
		CompletableFuture.allOf(this.customers).orTimeout(2, TimeUnit.MINUTES).join();
		return this.responses;
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

	private void shop() {
		while (!this.finishing) {
			String article = "article-" + this.articles.incrementAndGet();
			this.responses.put(article, ConcurrentHashMap.newKeySet());
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> insist(article, 1), this.threads);
			insist(article, 0);
			other.join();
			this.placed.release();
		}
	}

	private void insist(String article, int firstNode) {
		for (int node = firstNode; !Thread.currentThread().isInterrupted(); node++) {
			try {
				Answer answer = this.nodes.get().get(node % 2).order("header", "Idempotency-Key", article, article);
				if (answer.status() == 201) {
					this.responses.get(article).add(answer.body());
				}
				// The first response may have died with its node.
				if (answer.status() == 201 || answer.body().contains("response-unavailable")) {
					return;
				}
			}
			catch (IOException ex) {
				// The node was killed.
			}
			catch (InterruptedException ex) {
				return;
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

}
