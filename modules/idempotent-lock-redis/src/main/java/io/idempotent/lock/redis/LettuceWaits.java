package io.idempotent.lock.redis;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.redis.LettuceTransport.Command;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * Waits for replicas by {@code WAIT}, which blocks a connection. Each connection has one
 * at a time, for all grants that were sent before it. If a replica did not answer in
 * time, the next ones are short, but for one every five seconds.
 */
final class LettuceWaits {

	/** In milliseconds: many times what a replica needs. */
	private static final long SHORT = 100;

	private static final long SUSPICION = TimeUnit.SECONDS.toNanos(5);

	private final Map<RedisClusterAsyncCommands<byte[], byte[]>, Waits> servers = Collections
		.synchronizedMap(new WeakHashMap<>());

	/** In milliseconds. */
	private final long longest;

	LettuceWaits(long longest) {
		this.longest = longest;
	}

	/**
	 * Returns how many replicas have received what was sent on the connection so far.
	 * @param count how many to wait for
	 */
	CompletableFuture<Long> after(RedisClusterAsyncCommands<byte[], byte[]> server, int count) {
		return this.servers.computeIfAbsent(server, (unused) -> new Waits()).join(server, count);
	}

	/** Those of one connection. */
	private final class Waits {

		private CompletableFuture<Long> sent = CompletableFuture.completedFuture(0L);

		/** Null, or not sent yet. */
		private @Nullable CompletableFuture<Long> next;

		private int count;

		/** How many replicas the last WAIT in vain waited for. */
		private int missed;

		private long suspectedUntil = System.nanoTime();

		/**
		 * The event loop would send a WAIT ahead of grants that other threads have given
		 * it to send. Another thread sends it behind them.
		 */
		synchronized CompletableFuture<Long> join(RedisClusterAsyncCommands<byte[], byte[]> server, int count) {
			this.count = Math.max(this.count, count);
			CompletableFuture<Long> joined = this.next;
			if (joined == null) {
				CompletableFuture<Long> created = new CompletableFuture<>();
				joined = created;
				this.next = created;
				if (this.sent.isDone()) {
					send(server, created);
				}
				else {
					CompletableFuture<?> unused = this.sent.whenCompleteAsync(
							(synced, failure) -> send(server, created),
							LettuceLink.connection(server).getResources().eventExecutorGroup());
				}
			}
			return joined;
		}

		private synchronized void send(RedisClusterAsyncCommands<byte[], byte[]> server,
				CompletableFuture<Long> result) {
			int wanted = this.count;
			boolean suspected = System.nanoTime() - this.suspectedUntil < 0;
			this.count = 0;
			this.next = null;
			this.sent = result;
			Command<Long> wait = (connection) -> connection.waitForReplication(wanted,
					suspected ? Math.min(SHORT, LettuceWaits.this.longest) : LettuceWaits.this.longest);
			CompletableFuture<?> unused = wait.sendTo(server).whenComplete((synced, failure) -> {
				if (failure != null) {
					result.completeExceptionally(failure);
				}
				else {
					replied(wanted, synced, suspected);
					result.complete(synced);
				}
			});
		}

		/**
		 * In a Cluster, the number of replicas is asked for each slot, and may differ.
		 */
		private synchronized void replied(int wanted, long synced, boolean suspected) {
			if (synced < wanted) {
				this.missed = wanted;
				if (!suspected) {
					this.suspectedUntil = System.nanoTime() + SUSPICION;
				}
			}
			else if (wanted >= this.missed) {
				this.suspectedUntil = System.nanoTime();
			}
		}

	}

}
