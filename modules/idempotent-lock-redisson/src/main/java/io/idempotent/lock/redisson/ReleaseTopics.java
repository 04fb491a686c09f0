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
 * The channels on which releases are published. Redisson's own locks use sharded channels
 * in a Redis Cluster that supports them (Redis 7), and plain ones everywhere else; so do
 * these.
 */
final class ReleaseTopics {

	private final RedissonClient client;

	private volatile @Nullable Boolean sharded;

	ReleaseTopics(RedissonClient client) {
		this.client = client;
		this.sharded = configured(client);
	}

	/**
	 * The command that publishes a release.
	 * @param lock the lock
	 */
	CompletableFuture<String> publishCommand(LockKeys lock) {
		return sharded(lock).thenApply((sharded) -> sharded ? "SPUBLISH" : "PUBLISH");
	}

	/**
	 * The topic of a channel. Its codec is that of Redisson's own locks, since listeners
	 * of one channel share it.
	 * @param lock the lock
	 * @param channel its channel
	 */
	CompletableFuture<RTopic> topic(LockKeys lock, String channel) {
		return sharded(lock).thenApply((sharded) -> sharded ? this.client.getShardedTopic(channel, LongCodec.INSTANCE)
				: this.client.getTopic(channel, LongCodec.INSTANCE));
	}

	private static @Nullable Boolean configured(RedissonClient client) {
		if (!client.getConfig().isClusterConfig()) {
			return false;
		}
		ShardedSubscriptionMode mode = client.getConfig().useClusterServers().getShardedSubscriptionMode();
		return (mode == ShardedSubscriptionMode.AUTO) ? null : mode == ShardedSubscriptionMode.ON;
	}

	private CompletableFuture<Boolean> sharded(LockKeys lock) {
		Boolean known = this.sharded;
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		return this.client.getShardedTopic(lock.channel(), LongCodec.INSTANCE)
			.countSubscribersAsync()
			.handle((subscribers, failure) -> {
				boolean supported = isSupported(failure);
				this.sharded = supported;
				return supported;
			})
			.toCompletableFuture();
	}

	/**
	 * Whether the server supports sharded channels, checked as Redisson does when it
	 * connects: by a request for their subscribers, to which an error reply means no. A
	 * temporary failure, as during a failover, is not a reply.
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
