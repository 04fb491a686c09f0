package io.idempotent.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The channels of the locks that threads of this node wait for, on one connection, which
 * Lettuce subscribes to them again after it was lost.
 */
final class LettuceSubscriptions extends RedisPubSubAdapter<byte[], byte[]> {

	private final LettuceLink<RedisPubSubAsyncCommands<byte[], byte[]>> link;

	/** For a reply, in milliseconds. */
	private final long timeout;

	private final Map<String, Channel> channels = new ConcurrentHashMap<>();

	private volatile byte[] lastChannel = {};

	LettuceSubscriptions(LettuceConnectionFactory factory, long timeout) {
		this.link = new LettuceLink<>(factory, this::open);
		this.timeout = timeout;
	}

	/** A subscription of Spring Data Redis has the native connection, of any topology. */
	@SuppressWarnings("unchecked")
	private RedisPubSubAsyncCommands<byte[], byte[]> open(RedisConnection connection) {
		connection.subscribe((message, pattern) -> {
		}, this.lastChannel);
		RedisPubSubAsyncCommands<byte[], byte[]> commands = (RedisPubSubAsyncCommands<byte[], byte[]>) connection
			.getNativeConnection();
		commands.getStatefulConnection().addListener(this);
		return commands;
	}

	CompletableFuture<Runnable> listen(String name, boolean sharded, ReleaseSubscription listener) {
		this.lastChannel = LockTransport.bytes(name);
		Runnable removal = () -> leave(name, listener);
		return this.link.commands()
			.thenCompose((commands) -> join(commands, name, sharded, listener))
			.thenApply((subscribed) -> removal)
			.whenComplete((subscribed, failure) -> {
				if (failure != null) {
					removal.run();
				}
			})
			.exceptionallyCompose((failure) -> {
				if (LockClient.causes(failure).noneMatch(UnsupportedOperationException.class::isInstance)) {
					return CompletableFuture.failedFuture(failure);
				}
				// Beside a static master and its replicas: the waiting thread asks.
				listener.active(false);
				return CompletableFuture.completedFuture(removal);
			});
	}

	/** Commands for one channel are sent one after the other. */
	private CompletableFuture<Void> join(RedisPubSubAsyncCommands<byte[], byte[]> commands, String name,
			boolean sharded, ReleaseSubscription listener) {
		Channel joined = this.channels.compute(name, (key, present) -> {
			Channel channel = (present != null && present.commands == commands
					&& !present.subscribed.isCompletedExceptionally()) ? present : subscribe(commands, name, sharded);
			channel.listeners.add(listener);
			return channel;
		});
		return joined.subscribed.copy().orTimeout(this.timeout, TimeUnit.MILLISECONDS);
	}

	private Channel subscribe(RedisPubSubAsyncCommands<byte[], byte[]> commands, String name, boolean sharded) {
		byte[] channel = LockTransport.bytes(name);
		return new Channel(commands, sharded,
				(sharded ? commands.ssubscribe(channel) : commands.subscribe(channel)).toCompletableFuture(),
				ConcurrentHashMap.newKeySet());
	}

	private void leave(String name, ReleaseSubscription listener) {
		@Nullable Channel unused = this.channels.computeIfPresent(name, (key, channel) -> {
			channel.listeners.remove(listener);
			if (!channel.listeners.isEmpty()) {
				return channel;
			}
			channel.unsubscribe(LockTransport.bytes(name));
			return null;
		});
	}

	/** Until Lettuce has subscribed again. */
	void disconnected() {
		this.channels.values().forEach((channel) -> channel.listeners.forEach((each) -> each.active(false)));
	}

	@Override
	public void message(byte[] channel, byte[] message) {
		tell(channel, ReleaseSubscription::released);
	}

	@Override
	public void smessage(byte[] channel, byte[] message) {
		tell(channel, ReleaseSubscription::released);
	}

	/** Also after the connection was lost. */
	@Override
	public void subscribed(byte[] channel, long count) {
		tell(channel, (listener) -> listener.active(true));
	}

	@Override
	public void ssubscribed(byte[] channel, long count) {
		tell(channel, (listener) -> listener.active(true));
	}

	@Override
	public void unsubscribed(byte[] channel, long count) {
		ended(channel);
	}

	/** As when the slot of the channel moves to another server. */
	@Override
	public void sunsubscribed(byte[] channel, long count) {
		ended(channel);
	}

	/** Before the channel is subscribed to, it is the answer to an earlier request. */
	private void ended(byte[] name) {
		Channel channel = this.channels.get(new String(name, StandardCharsets.UTF_8));
		if (channel != null && channel.subscribed.isDone()) {
			channel.listeners.forEach((listener) -> listener.active(false));
		}
	}

	private void tell(byte[] name, Consumer<ReleaseSubscription> event) {
		Channel channel = this.channels.get(new String(name, StandardCharsets.UTF_8));
		if (channel != null) {
			channel.listeners.forEach(event);
		}
	}

	void close() {
		this.link.close();
	}

	/** A channel that is subscribed to, for one listener at least. */
	private record Channel(RedisPubSubAsyncCommands<byte[], byte[]> commands, boolean sharded,
			CompletableFuture<Void> subscribed, Set<ReleaseSubscription> listeners) {

		void unsubscribe(byte[] channel) {
			CompletableFuture<?> unused = (this.sharded ? this.commands.sunsubscribe(channel)
					: this.commands.unsubscribe(channel))
				.toCompletableFuture();
		}

	}

}
