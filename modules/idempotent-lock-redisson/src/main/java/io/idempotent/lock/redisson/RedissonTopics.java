package io.idempotent.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisRetryException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.LongCodec;
import org.redisson.config.ShardedSubscriptionMode;

/**
 * The channels of Redisson's own locks: sharded in a Redis 7 Cluster, otherwise plain.
 */
final class RedissonTopics {

	private final RedissonClient client;

	private volatile @Nullable Boolean sharded;

	RedissonTopics(RedissonClient client) {
		this.client = client;
		this.sharded = configured(client);
	}

	CompletableFuture<String> publishCommand(String channel) {
		return sharded(channel).thenApply((sharded) -> sharded ? "SPUBLISH" : "PUBLISH");
	}

	/** The codec is that of Redisson's own locks: listeners of a channel share it. */
	CompletableFuture<RTopic> topic(String channel) {
		return sharded(channel)
			.thenApply((sharded) -> sharded ? this.client.getShardedTopic(channel, LongCodec.INSTANCE)
					: this.client.getTopic(channel, LongCodec.INSTANCE));
	}

	private static @Nullable Boolean configured(RedissonClient client) {
		if (!client.getConfig().isClusterConfig()) {
			return false;
		}
		ShardedSubscriptionMode mode = client.getConfig().useClusterServers().getShardedSubscriptionMode();
		return (mode == ShardedSubscriptionMode.AUTO) ? null : mode == ShardedSubscriptionMode.ON;
	}

	private CompletableFuture<Boolean> sharded(String channel) {
		Boolean known = this.sharded;
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		return this.client.getShardedTopic(channel, LongCodec.INSTANCE)
			.countSubscribersAsync()
			.handle((subscribers, failure) -> {
				boolean supported = isSupported(failure);
				this.sharded = supported;
				return supported;
			})
			.toCompletableFuture();
	}

	/**
	 * Checked as Redisson does when it connects: by a request for subscribers, to which
	 * an error reply means no. A temporary failure, as during a failover, is not a reply.
	 */
	private static boolean isSupported(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		if (cause instanceof RedisConnectionException || cause instanceof RedisTimeoutException
				|| cause instanceof RedisRetryException || cause instanceof RedisNodeNotFoundException) {
			throw new CompletionException(cause);
		}
		return cause == null;
	}

}
