package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.client.RedisResponseTimeoutException;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A take that was carried out, and whose reply was lost, with either client; and one that
 * was not sent.
 */
@Timeout(60)
class LostReplyTests {

	private static final Duration WAIT = Duration.ofSeconds(10);

	private static final LockRequest REQUEST = new LockRequest("stock", Duration.ofMinutes(1), false);

	@AutoClose
	private static final EmbeddedRedis server = EmbeddedRedis.start();

	@AutoClose
	private final TestRedisson clients = TestRedisson.at(server.host(), server.port());

	private final LockEngine other = this.clients.node();

	private final List<Long> grants = new CopyOnWriteArrayList<>();

	/** How many of the next grants have no reply. */
	private final AtomicInteger lost = new AtomicInteger();

	/**
	 * How many of the next attempts have no connection, which takes more than a second.
	 */
	private final AtomicInteger unconnected = new AtomicInteger();

	/** Interrupted by the loss of a reply. */
	private volatile @Nullable Thread interrupted;

	@ParameterizedTest
	@CsvSource({ "REDISSON, WRITE, false", "REDISSON, WRITE, true", "REDISSON, READ, false", "REDISSON, READ, true",
			"LETTUCE, WRITE, false", "LETTUCE, WRITE, true", "LETTUCE, READ, false", "LETTUCE, READ, true" })
	void aWaiterGetsTheGrantThatItHas(Client client, LockMode mode, boolean fair) throws Exception {
		LockRequest request = new LockRequest("stock:" + client + mode + fair, REQUEST.lease(), fair);
		LockGrant former = requireNonNull(this.other.acquire(request, Duration.ZERO));
		Future<@Nullable LockGrant> waiting = AllOfALock.waitFor(engine(client), request.withMode(mode));
		this.lost.set(1);
		former.release(Duration.ZERO);
		LockGrant grant = requireNonNull(waiting.get(20, TimeUnit.SECONDS));
		assertThat(this.grants).hasSize(2);
		assertThat(this.grants.get(0)).as("no second token").isEqualTo(this.grants.get(1));
		LockState state = this.other.inspect(request.name());
		assertThat(state.holders()).singleElement().satisfies((holder) -> assertThat(holder.mode()).isEqualTo(mode));
		assertThat(state.waiters()).isZero();
		assertThat(this.other.acquire(request, Duration.ZERO)).isNull();
		assertThat(grant.renew(request.lease())).isEqualTo(GrantState.HELD);
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(requireNonNull(this.other.acquire(request, Duration.ZERO)).release(Duration.ZERO))
			.isEqualTo(GrantState.HELD);
	}

	@ParameterizedTest
	@EnumSource
	void anAttemptWithoutWaitingFailsAndHoldsNothing(Client client) {
		assertFailsAndHoldsNothing(client, Duration.ZERO, 1);
	}

	@ParameterizedTest
	@EnumSource
	void aWaiterWhoseTimeIsOverFailsAndHoldsNothing(Client client) {
		assertFailsAndHoldsNothing(client, Duration.ofNanos(1), 1);
	}

	@ParameterizedTest
	@EnumSource
	void aWaiterWithoutAnyReplyFailsAndHoldsNothing(Client client) {
		assertFailsAndHoldsNothing(client, WAIT, 1000);
		assertThat(this.grants).hasSizeGreaterThan(1).allMatch((token) -> token.equals(this.grants.get(0)));
	}

	private void assertFailsAndHoldsNothing(Client client, Duration wait, int losses) {
		LockEngine engine = engine(client);
		this.lost.set(losses);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> engine.acquire(REQUEST, wait));
		await().untilAsserted(() -> assertThat(this.other.inspect(REQUEST.name()).isHeld()).isFalse());
	}

	@ParameterizedTest
	@EnumSource
	void anInterruptEndsTheDoubtAndNothingIsHeld(Client client) {
		LockEngine engine = engine(client);
		this.lost.set(1000);
		this.interrupted = Thread.currentThread();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> engine.acquire(REQUEST, WAIT));
		await().untilAsserted(() -> assertThat(this.other.inspect(REQUEST.name()).isHeld()).isFalse());
	}

	@ParameterizedTest
	@EnumSource
	void aFirstConnectionThatTakesLongIsTriedTwice(Client client) throws Exception {
		this.unconnected.set(1);
		LockEngine engine = engine(client);
		LockGrant grant = requireNonNull(engine.acquire(REQUEST, Duration.ZERO));
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		this.unconnected.set(1);
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> engine.acquire(REQUEST, Duration.ZERO));
	}

	private LockEngine engine(Client client) {
		LockTransport transport = (client == Client.LETTUCE) ? new LettuceTransport(this.clients.factory())
				: new RedissonTransport(this.clients.client(this.clients.node()));
		return new AbstractRedisLockEngine("lossy", () -> new LossyTransport(transport, client), "") {
		};
	}

	private void lose(Client client) {
		if (this.lost.getAndDecrement() > 0) {
			if (this.interrupted != null) {
				this.interrupted.interrupt();
			}
			throw client.loss();
		}
	}

	private enum Client {

		REDISSON, LETTUCE;

		RuntimeException noConnection() {
			return (this == LETTUCE) ? new RedisConnectionException("Connection initialization timed out")
					: new org.redisson.client.RedisConnectionException("Unable to connect");
		}

		RuntimeException loss() {
			return (this == LETTUCE) ? new RedisException("The connection broke before the reply")
					: new RedisResponseTimeoutException("Redis server response timeout");
		}

	}

	/** Carries out each take, and loses the replies of some grants. */
	private final class LossyTransport implements LockTransport {

		private final LockTransport transport;

		private final Client client;

		LossyTransport(LockTransport transport, Client client) {
			this.transport = transport;
			this.client = client;
		}

		@Override
		public CompletableFuture<Long> grant(String lock, String script, List<String> keys, Object... arguments) {
			if (LostReplyTests.this.unconnected.getAndDecrement() > 0) {
				Executor later = CompletableFuture.delayedExecutor(1100, TimeUnit.MILLISECONDS);
				return CompletableFuture.runAsync(() -> {
				}, later).thenCompose((over) -> CompletableFuture.failedFuture(this.client.noConnection()));
			}
			return this.transport.grant(lock, script, keys, arguments).thenApply((reply) -> {
				if (reply > 0) {
					LostReplyTests.this.grants.add(reply);
					lose(this.client);
				}
				return reply;
			});
		}

		@Override
		public String id() {
			return this.transport.id();
		}

		@Override
		public String key(String lock) {
			return this.transport.key(lock);
		}

		@Override
		public CompletableFuture<Long> number(String lock, String script, List<String> keys, Object... arguments) {
			return this.transport.number(lock, script, keys, arguments);
		}

		@Override
		public CompletableFuture<List<@Nullable String>> texts(String lock, String script, List<String> keys,
				Object... arguments) {
			return this.transport.texts(lock, script, keys, arguments);
		}

		@Override
		public CompletableFuture<Boolean> sharded(String channel) {
			return this.transport.sharded(channel);
		}

		@Override
		public CompletableFuture<Runnable> listen(String channel, ReleaseSubscription listener) {
			return this.transport.listen(channel, listener);
		}

		@Override
		public boolean meansNotRun(Throwable cause) {
			return this.transport.meansNotRun(cause);
		}

		@Override
		public boolean meansLostReply(Throwable cause) {
			return this.transport.meansLostReply(cause);
		}

		@Override
		public void close() {
			this.transport.close();
		}

	}

}
