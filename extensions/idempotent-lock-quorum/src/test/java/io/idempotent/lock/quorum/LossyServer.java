package io.idempotent.lock.quorum;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A server whose requests and replies get lost by chance, and whose clock stands still at
 * zero, so that tokens come from the counters alone.
 */
class LossyServer implements LockServer {

	private final LockServer server;

	private final Random random;

	private final double loss;

	LossyServer(LockServer server, Random random, double loss) {
		this.server = server;
		this.random = random;
		this.loss = loss;
	}

	private <T> CompletableFuture<T> lossy(Supplier<CompletableFuture<T>> question) {
		if (this.random.nextDouble() < this.loss) {
			return CompletableFuture.failedFuture(new IOException("the request is lost"));
		}
		CompletableFuture<T> reply = question.get();
		return (this.random.nextDouble() < this.loss)
				? reply.thenCompose((lost) -> CompletableFuture.failedFuture(new IOException("the reply is lost")))
				: reply;
	}

	@Override
	public CompletableFuture<?> connect() {
		return this.server.connect();
	}

	@Override
	public CompletableFuture<TakeReply> take(String lock, String owner, Duration lease) {
		return lossy(() -> this.server.take(lock, owner, lease)).thenApply(
				(reply) -> new TakeReply(reply.granted(), reply.counter(), 0, reply.millisLeft(), reply.owner()));
	}

	@Override
	public CompletableFuture<Boolean> raise(String lock, String owner, long token) {
		return lossy(() -> this.server.raise(lock, owner, token));
	}

	@Override
	public CompletableFuture<Holder> renew(String lock, String owner, Duration lease) {
		return lossy(() -> this.server.renew(lock, owner, lease));
	}

	@Override
	public CompletableFuture<Boolean> join(String lock, String owner, Duration lease, long token) {
		return lossy(() -> this.server.join(lock, owner, lease, token));
	}

	@Override
	public CompletableFuture<Boolean> release(String lock, String owner, Duration stayLocked, boolean publish) {
		return lossy(() -> this.server.release(lock, owner, stayLocked, publish));
	}

	@Override
	public CompletableFuture<ServerState> inspect(String lock) {
		return this.server.inspect(lock);
	}

	@Override
	public CompletableFuture<Runnable> subscribe(String lock, Runnable listener) {
		return lossy(() -> this.server.subscribe(lock, listener));
	}

	@Override
	public void close() {
		this.server.close();
	}

}
