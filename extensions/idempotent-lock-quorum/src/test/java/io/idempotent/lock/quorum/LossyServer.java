package io.idempotent.lock.quorum;

import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.idempotent.lock.quorum.LockServer.TakeReply;
import io.idempotent.testing.ObservedDataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

/**
 * A server whose requests and replies get lost by chance, and whose clock stands still at
 * zero, so that tokens come from the counters alone.
 */
final class LossyServer {

	private static final Set<String> SAFE = Set.of("connect", "inspect", "close", "toString");

	private LossyServer() {
	}

	static LockServer of(LockServer server, Random random, double loss) {
		return ObservedDataSource.intercept(server,
				(call) -> SAFE.contains(call.getMethod().getName()) ? call.proceed() : lossy(call, random, loss));
	}

	private static CompletableFuture<?> lossy(MethodInvocation call, Random random, double loss) throws Throwable {
		if (random.nextDouble() < loss) {
			return CompletableFuture.failedFuture(new IOException("the request is lost"));
		}
		CompletableFuture<?> reply = (CompletableFuture<?>) call.proceed();
		return (random.nextDouble() < loss)
				? reply.thenCompose((lost) -> CompletableFuture.failedFuture(new IOException("the reply is lost")))
				: reply.thenApply((told) -> (told instanceof TakeReply take)
						? new TakeReply(take.granted(), take.counter(), 0, take.millisLeft(), take.owner()) : told);
	}

	/** A server that raises tokens in another way. */
	static LockServer raising(LockServer server, MethodInterceptor raise) {
		return ObservedDataSource.intercept(server,
				(call) -> call.getMethod().getName().equals("raise") ? raise.invoke(call) : call.proceed());
	}

}
