package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.ObservedDataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.api.RFuture;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.misc.CompletableFutureWrapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An attempt without a reply, which an interrupt ends, and whose release is delayed.
 */
@Timeout(60)
class RedissonLostReplyTests {

	private static final LockRequest REQUEST = new LockRequest("stock", Duration.ofSeconds(30), false)
		.uninterruptible();

	@AutoClose
	private final TestRedisson clients = TestRedisson.of(EmbeddedRedis.start());

	private final AtomicBoolean replyIsLost = new AtomicBoolean();

	private final AtomicBoolean releaseIsDelayed = new AtomicBoolean();

	private final CompletableFuture<Void> network = new CompletableFuture<>();

	private final CompletableFuture<Object> released = new CompletableFuture<>();

	@Test
	void theRepeatedAttemptHasAnOwnerWhoseGrantIsNotReleased() throws Exception {
		LockEngine other = this.clients.node();
		RedissonClient client = this.clients.client(this.clients.node());
		LockEngine engine = new RedissonLockEngine(() -> unreliable(client), "");
		LockRequest first = new LockRequest("first", Duration.ofSeconds(30), false);
		Objects.requireNonNull(engine.acquire(first, Duration.ZERO)).release(Duration.ZERO);
		this.replyIsLost.set(true);
		this.releaseIsDelayed.set(true);
		LockGrant grant = engine.acquire(REQUEST, Duration.ofSeconds(10));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(grant).isNotNull();
		this.network.complete(null);
		this.released.join();
		assertThat(other.acquire(REQUEST, Duration.ZERO)).as("a second holder").isNull();
		assertThat(grant.renew(Duration.ofSeconds(30))).isEqualTo(LockGrant.GrantState.HELD);
	}

	private RedissonClient unreliable(RedissonClient client) {
		return ObservedDataSource.intercept(client, (call) -> {
			Object result = call.proceed();
			return (result instanceof RScript script) ? ObservedDataSource.intercept(script, this::eval) : result;
		});
	}

	@SuppressWarnings("FutureReturnValueIgnored")
	private Object eval(MethodInvocation call) throws Throwable {
		if (isEval(call, LockScripts.TAKE) && this.replyIsLost.compareAndSet(true, false)) {
			return new CompletableFutureWrapper<>(new LostReply());
		}
		if (isEval(call, LockScripts.RELEASE) && this.releaseIsDelayed.compareAndSet(true, false)) {
			CompletableFuture<Object> late = this.network.thenCompose((open) -> send(call));
			CompletableFuture<?> unused = late.whenComplete((reply, failure) -> this.released.complete("released"));
			return new CompletableFutureWrapper<>(late);
		}
		return call.proceed();
	}

	private static boolean isEval(MethodInvocation call, String script) {
		Object[] arguments = call.getArguments();
		return call.getMethod().getName().equals("evalAsync") && arguments.length == 6 && script.equals(arguments[2]);
	}

	@SuppressWarnings("unchecked")
	private static CompletableFuture<Object> send(MethodInvocation call) {
		try {
			return ((RFuture<Object>) call.proceed()).toCompletableFuture();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * There is no reply in time, and the thread that learns it is interrupted.
	 */
	private static final class LostReply extends CompletableFuture<Object> {

		private LostReply() {
			completeExceptionally(timeout());
		}

		@Override
		public Object get() throws ExecutionException {
			Thread.currentThread().interrupt();
			throw new ExecutionException(timeout());
		}

		private static RuntimeException timeout() {
			return new RedisResponseTimeoutException("Redis server response timeout");
		}

	}

}
