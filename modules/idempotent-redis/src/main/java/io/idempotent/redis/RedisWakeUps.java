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
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Hands the wake-ups that Redis publishes to those who wait in this JVM, over one
 * subscription, which starts with the first of them.
 */
final class RedisWakeUps implements WakeUps, MessageListener, SubscriptionListener, AutoCloseable {

	private static final Log logger = LogFactory.getLog(RedisWakeUps.class);

	private static final long FIRST_RETRY = 2;

	private static final long LAST_RETRY = 300;

	private static final long LONGEST_END = 5;

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
		// A wake-up does not block, so that it needs no thread between it and the client.
		this.container.setTaskExecutor(Runnable::run);
		this.container.addMessageListener(this, ChannelTopic.of(channel));
		this.container.afterPropertiesSet();
	}

	/**
	 * One thread that starts the subscription and one for a client that blocks while it
	 * listens; none when there is nothing to do. The container retries by schedule only
	 * where it is given one, and sleeps under its own lock otherwise. After the end
	 * nothing starts any more, silently.
	 */
	private static ScheduledThreadPoolExecutor background() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("idempotent-wake-up-");
		threads.setDaemon(true);
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(2, threads, new DiscardPolicy());
		executor.setKeepAliveTime(10, TimeUnit.SECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	@Override
	public Subscription subscribe(OperationKey key, Runnable wake) {
		Subscription subscription = this.waiters.subscribe(key, wake);
		if (this.started.compareAndSet(false, true)) {
			this.background.execute(() -> start(FIRST_RETRY));
		}
		return subscription;
	}

	private void start(long retryAfter) {
		this.starting.lock();
		try {
			this.container.start();
		}
		catch (RuntimeException ex) {
			if (this.background.isShutdown()) {
				return;
			}
			tell(retryAfter, ex);
			// First, because whatever made the start fail may make this fail, too.
			ScheduledFuture<?> unused = this.background.schedule(() -> start(Math.min(2 * retryAfter, LAST_RETRY)),
					retryAfter, TimeUnit.SECONDS);
			this.container.stop();
		}
		finally {
			this.starting.unlock();
		}
	}

	private void tell(long retryAfter, RuntimeException failure) {
		String message = "No subscription to wake-ups in Redis, trying again in " + retryAfter
				+ " s; until then those who wait for a running operation look again at intervals. If this stays, "
				+ "look at the connection (spring.data.redis.*) and at whether the user may subscribe to the channel "
				+ this.channel;
		if (retryAfter == FIRST_RETRY) {
			logger.warn(message, failure);
		}
		else {
			logger.debug(message, failure);
		}
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		OperationKey key = key(message.getBody());
		if (key != null) {
			this.waiters.wake(key);
		}
	}

	/**
	 * What others say on our channel is no key.
	 */
	private static @Nullable OperationKey key(byte[] body) {
		try {
			byte[] digest = Base64.getUrlDecoder().decode(body);
			return (digest.length == Digest.LENGTH) ? new OperationKey(Digest.of(digest)) : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * What was published before the subscription stood, nobody heard.
	 */
	@Override
	public void onChannelSubscribed(byte[] channel, long count) {
		this.waiters.wakeAll();
	}

	/**
	 * A start waits for its connection under the container's own lock, and for ever if
	 * the client is stopped meanwhile: it is interrupted, and what does not end even so
	 * is left to its daemon thread.
	 */
	@Override
	public void close() {
		this.background.shutdownNow();
		try {
			if (this.starting.tryLock(LONGEST_END, TimeUnit.SECONDS)) {
				this.container.destroy();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (Exception ex) {
			logger.debug("The subscription to wake-ups did not end in order", ex);
		}
	}

}
