package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.SingleServerConfig;

/**
 * The connection to one server. Redisson connects with the first command, on the thread
 * that sends it, so that is done in the background. Once it was connected, Redisson
 * reconnects by itself.
 */
final class ServerConnection implements AutoCloseable {

	private static final long RETRY_INTERVAL = TimeUnit.SECONDS.toNanos(1);

	private static final int THREADS = 2;

	private static final int CONNECTIONS = 16;

	private static final int SUBSCRIPTION_CONNECTIONS = 10;

	private static final int SUBSCRIPTIONS_PER_CONNECTION = 100;

	private static final Duration RECONNECTION_INTERVAL = Duration.ofMillis(500);

	private final ServerAddress address;

	private final Config config;

	private @Nullable RedissonClient created;

	private volatile @Nullable RedissonClient connected;

	private CompletableFuture<?> attempt = CompletableFuture.failedFuture(new IllegalStateException("not connected"));

	private volatile @Nullable Throwable lastFailure;

	private long failedAt = System.nanoTime() - RETRY_INTERVAL;

	private boolean closed;

	ServerConnection(ServerAddress address, Duration timeout, Duration connectTimeout) {
		this.address = address;
		this.config = config(address, Math.toIntExact(timeout.toMillis()), Math.toIntExact(connectTimeout.toMillis()));
	}

	private static Config config(ServerAddress address, int timeout, int connectTimeout) {
		Config config = new Config();
		config.setLazyInitialization(true);
		config.setExecutor(DaemonThreads.workers("redisson"));
		config.setNettyThreads(THREADS);
		config.setNettyExecutor((task) -> DaemonThreads.start("redisson-netty", task));
		config.setCodec(StringCodec.INSTANCE);
		config.setUsername(address.user());
		config.setPassword(address.password());
		SingleServerConfig server = config.useSingleServer();
		server.setAddress(address.url());
		server.setDatabase(address.database());
		server.setTimeout(timeout);
		server.setConnectTimeout(connectTimeout);
		server.setRetryAttempts(0);
		server.setReconnectionDelay(new ConstantDelay(RECONNECTION_INTERVAL));
		server.setConnectionMinimumIdleSize(1);
		server.setConnectionPoolSize(CONNECTIONS);
		server.setSubscriptionConnectionMinimumIdleSize(0);
		server.setSubscriptionConnectionPoolSize(SUBSCRIPTION_CONNECTIONS);
		server.setSubscriptionsPerConnection(SUBSCRIPTIONS_PER_CONNECTION);
		return config;
	}

	/** Throws {@link RedisConnectionException} unless it has been connected. */
	RedissonClient client() {
		RedissonClient client = this.connected;
		if (client == null) {
			throw new RedisConnectionException("not connected", this.lastFailure);
		}
		return client;
	}

	synchronized CompletableFuture<?> connect() {
		boolean failed = this.attempt.isCompletedExceptionally();
		if (failed && !this.closed && System.nanoTime() - this.failedAt >= RETRY_INTERVAL) {
			CompletableFuture<Void> next = new CompletableFuture<>();
			this.attempt = next;
			try {
				DaemonThreads.start("idempotent-lock-quorum-connect", () -> connect(next));
			}
			catch (Throwable ex) {
				fail(next, ex);
			}
		}
		return this.attempt;
	}

	private void connect(CompletableFuture<Void> result) {
		try {
			RedissonClient client = create();
			client.getScript(StringCodec.INSTANCE).scriptLoad(QuorumScripts.TAKE);
			this.connected = client;
			result.complete(null);
		}
		catch (Throwable ex) {
			fail(result, ex);
		}
		finally {
			if (isClosed()) {
				shutDown();
			}
		}
	}

	private synchronized void fail(CompletableFuture<Void> result, Throwable failure) {
		this.failedAt = System.nanoTime();
		this.lastFailure = failure;
		result.completeExceptionally(failure);
	}

	private synchronized RedissonClient create() {
		if (this.closed) {
			throw new IllegalStateException("closed");
		}
		RedissonClient client = this.created;
		if (client == null) {
			client = Redisson.create(this.config);
			this.created = client;
		}
		return client;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	/**
	 * Ends the connection. While an attempt to connect is under way, the client is shut
	 * down at its end: a client of Redisson that is shut down while it connects leaves
	 * the thread that connects waiting for ever.
	 */
	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
			if (!this.attempt.isDone()) {
				return;
			}
		}
		shutDown();
	}

	private void shutDown() {
		RedissonClient client;
		synchronized (this) {
			client = this.created;
			this.created = null;
		}
		if (client != null) {
			client.shutdown();
		}
	}

	@Override
	public String toString() {
		return this.address.toString();
	}

}
