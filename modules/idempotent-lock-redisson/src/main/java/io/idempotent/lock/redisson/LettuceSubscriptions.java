package io.idempotent.lock.redisson;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * The channels of the locks that threads of this node wait for, on one connection, which
 * Lettuce subscribes to them again after it was lost.
 */
final class LettuceSubscriptions extends RedisPubSubAdapter<byte[], byte[]> implements RedisConnectionStateListener {

	private final LettuceConnections connections;

	private final long timeout;

	private final Map<String, Channel> channels = new ConcurrentHashMap<>();

	private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> observed;

	LettuceSubscriptions(LettuceConnections connections, long timeout) {
		this.connections = connections;
		this.timeout = timeout;
	}

	CompletableFuture<Runnable> listen(String name, boolean sharded, ReleaseSubscription listener) {
		return this.connections.messages(LockTransport.bytes(name))
			.copy()
			.orTimeout(LettuceConnections.TIMEOUT, TimeUnit.MILLISECONDS)
			.thenCompose((link) -> {
				Runnable removal = () -> leave(name, listener);
				observe(link.commands().getStatefulConnection());
				return join(link.commands(), name, sharded, listener).thenApply((subscribed) -> removal)
					.whenComplete((subscribed, failure) -> {
						if (failure != null) {
							removal.run();
						}
					});
			});
	}

	/** Once for each connection. */
	private synchronized void observe(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
		if (this.observed != connection) {
			connection.addListener((RedisPubSubListener<byte[], byte[]>) this);
			connection.addListener((RedisConnectionStateListener) this);
			this.observed = connection;
		}
	}

	/** Commands for one channel are sent one after the other. */
	private CompletableFuture<Void> join(RedisPubSubAsyncCommands<byte[], byte[]> commands, String name,
			boolean sharded, ReleaseSubscription listener) {
		Channel joined = this.channels.compute(name, (key, present) -> {
			boolean usable = present != null && present.commands == commands
					&& !present.subscribed.isCompletedExceptionally();
			Channel channel = usable ? present : subscribe(commands, name, sharded);
			channel.listeners.add(listener);
			return channel;
		});
		return joined.subscribed.copy().orTimeout(this.timeout, TimeUnit.MILLISECONDS);
	}

	private Channel subscribe(RedisPubSubAsyncCommands<byte[], byte[]> commands, String name, boolean sharded) {
		byte[] channel = LockTransport.bytes(name);
		return new Channel(commands, sharded,
				(sharded ? commands.ssubscribe(channel) : commands.subscribe(channel)).toCompletableFuture());
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
	@Override
	public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
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

	private void tell(byte[] name, Consumer<ReleaseSubscription> event) {
		Channel channel = this.channels.get(new String(name, StandardCharsets.UTF_8));
		if (channel != null) {
			channel.listeners.forEach(event);
		}
	}

	/** A channel that is subscribed to, for one listener at least. */
	private static final class Channel {

		private final Set<ReleaseSubscription> listeners = ConcurrentHashMap.newKeySet();

		private final RedisPubSubAsyncCommands<byte[], byte[]> commands;

		private final boolean sharded;

		private final CompletableFuture<Void> subscribed;

		Channel(RedisPubSubAsyncCommands<byte[], byte[]> commands, boolean sharded,
				CompletableFuture<Void> subscribed) {
			this.commands = commands;
			this.sharded = sharded;
			this.subscribed = subscribed;
		}

		void unsubscribe(byte[] channel) {
			CompletableFuture<?> unused = (this.sharded ? this.commands.sunsubscribe(channel)
					: this.commands.unsubscribe(channel))
				.toCompletableFuture();
		}

	}

}
