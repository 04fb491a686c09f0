package io.idempotent.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;

/**
 * Gets the Redisson client when it is first needed, and connects it. A lazy client
 * connects with its first command, on the thread that sends it, and fails if that thread
 * is interrupted; so commands are sent on another thread until one of them has succeeded.
 */
final class ClientConnection {

	private final Supplier<? extends RedissonClient> supplier;

	private final String node;

	private volatile @Nullable LockClient client;

	private volatile boolean connected;

	/**
	 * Creates the connection.
	 * @param supplier creates the client
	 * @param node the name of this node, or an empty text
	 */
	ClientConnection(Supplier<? extends RedissonClient> supplier, String node) {
		this.supplier = supplier;
		this.node = node;
	}

	LockClient client() {
		LockClient current = this.client;
		if (current == null) {
			current = new LockClient(RedisFutures.send(this.supplier::get, "create its RedissonClient"), this.node);
			this.client = current;
		}
		return current;
	}

	/**
	 * Sends a command without waiting for the reply.
	 * @param <T> the type of the reply
	 * @param command sends the command
	 * @param what what the command does, for messages
	 */
	<T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> command, String what) {
		if (this.connected) {
			return RedisFutures.send(command, what);
		}
		CompletableFuture<T> reply = new CompletableFuture<>();
		DaemonThreads.start("idempotent-lock-redisson-connect", () -> connect(command, reply));
		return reply;
	}

	private <T> void connect(Supplier<CompletableFuture<T>> command, CompletableFuture<T> reply) {
		try {
			CompletableFuture<?> unused = command.get().whenComplete((result, failure) -> {
				if (failure != null) {
					reply.completeExceptionally(failure);
				}
				else {
					this.connected = true;
					reply.complete(result);
				}
			});
		}
		catch (RuntimeException ex) {
			reply.completeExceptionally(ex);
		}
	}

}
