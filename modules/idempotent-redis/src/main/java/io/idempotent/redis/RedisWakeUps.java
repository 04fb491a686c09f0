package io.idempotent.redis;

import java.util.Base64;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Waiters;
import io.idempotent.store.WakeUps;
import io.idempotent.support.DaemonThreads;
import io.idempotent.support.Digest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** Passes wake-ups to waiters of this JVM; the first one starts the only subscription. */
final class RedisWakeUps implements WakeUps, MessageListener, SubscriptionListener, AutoCloseable {

	private static final Log logger = LogFactory.getLog(RedisWakeUps.class);

	private static final long FIRST_RETRY_SECONDS = 2;

	private static final long MAX_RETRY_SECONDS = 300;

	private static final long MAX_CLOSE_SECONDS = 5;

	private final Waiters waiters = new Waiters();

	private final AtomicBoolean started = new AtomicBoolean();

	private final RedisMessageListenerContainer container = new RedisMessageListenerContainer();

	private final ReentrantLock starting = new ReentrantLock();

	private final String channel;

	private final ScheduledThreadPoolExecutor background;

	RedisWakeUps(RedisConnectionFactory connections, String channel) {
		this.channel = channel;
		this.background = background();
		this.container.setConnectionFactory(connections);
		this.container.setSubscriptionExecutor(this.background);
		// A wake-up does not block, so that it may run on the thread of the client.
		this.container.setTaskExecutor(Runnable::run);
		this.container.addMessageListener(this, ChannelTopic.of(channel));
		this.container.afterPropertiesSet();
	}

	/**
	 * One thread starts the subscription, another one serves a client that blocks while
	 * it listens; both end when they are idle. The container schedules retries only with
	 * a scheduled executor; otherwise it would sleep while it holds its own lock. Tasks
	 * after the shutdown are discarded.
	 */
	private static ScheduledThreadPoolExecutor background() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(2,
				DaemonThreads.named("idempotent-wake-up"), new DiscardPolicy());
		executor.setKeepAliveTime(10, TimeUnit.SECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	@Override
	public Subscription subscribe(OperationKey key, Runnable wake) {
		if (this.started.compareAndSet(false, true)) {
			try {
				this.background.execute(() -> start(FIRST_RETRY_SECONDS));
			}
			catch (Throwable ex) {
				// No thread could be started, but the task was queued.
				this.background.getQueue().clear();
				this.started.set(false);
				logger.warn("No subscription to wake-ups in Redis: until another submission waits, this one polls", ex);
			}
		}
		return this.waiters.subscribe(key, wake);
	}

	private void start(long retryAfter) {
		this.starting.lock();
		try {
			this.container.start();
		}
		catch (RuntimeException | Error ex) {
			if (this.background.isShutdown()) {
				return;
			}
			logFailure(retryAfter, ex);
			try {
				this.container.stop();
			}
			finally {
				// This thread runs it if a second one cannot be started.
				ScheduledFuture<?> unused = this.background
					.schedule(() -> start(Math.min(2 * retryAfter, MAX_RETRY_SECONDS)), retryAfter, TimeUnit.SECONDS);
			}
		}
		finally {
			this.starting.unlock();
		}
	}

	private void logFailure(long retryAfter, Throwable failure) {
		String message = "No subscription to wake-ups in Redis, trying again in " + retryAfter
				+ " s; until then submissions that wait for a running operation poll. If this persists, "
				+ "check the connection (spring.data.redis.*) and whether the user may subscribe to the channel "
				+ this.channel;
		if (retryAfter == FIRST_RETRY_SECONDS) {
			logger.warn(message, failure);
		}
		else {
			logger.debug(message, failure);
		}
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		OperationKey key;
		try {
			key = new OperationKey(Digest.of(Base64.getUrlDecoder().decode(message.getBody())));
		}
		catch (IllegalArgumentException ex) {
			logger.debug("A foreign message on the channel " + this.channel, ex);
			return;
		}
		this.waiters.wake(key);
	}

	/** Wakes all waiters, since messages published before the subscription are lost. */
	@Override
	public void onChannelSubscribed(byte[] channel, long count) {
		this.waiters.wakeAll();
	}

	/**
	 * Interrupts a start that waits for its connection, since it holds the container's
	 * own lock and would wait for ever if the client was stopped. If it does not end in
	 * time, its daemon thread is abandoned.
	 */
	@Override
	public void close() {
		this.background.shutdownNow();
		try {
			if (this.starting.tryLock(MAX_CLOSE_SECONDS, TimeUnit.SECONDS)) {
				this.container.destroy();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (Exception ex) {
			logger.debug("The subscription to wake-ups was not closed cleanly", ex);
		}
	}

}
