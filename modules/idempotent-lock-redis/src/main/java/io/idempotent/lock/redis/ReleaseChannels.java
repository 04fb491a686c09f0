package io.idempotent.lock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The kind of the channels of Redisson's own locks: sharded in a Redis 7 Cluster,
 * otherwise plain. Checked as Redisson does when it connects: by a request for
 * subscribers, to which an error reply means no. A temporary failure, as during a
 * failover, is not a reply.
 */
final class ReleaseChannels {

	private final Function<String, CompletableFuture<?>> countSubscribers;

	private final Predicate<Throwable> temporary;

	private volatile @Nullable Boolean sharded;

	/**
	 * Null if a server has to be asked.
	 */
	ReleaseChannels(@Nullable Boolean sharded, Function<String, CompletableFuture<?>> countSubscribers,
			Predicate<Throwable> temporary) {
		this.sharded = sharded;
		this.countSubscribers = countSubscribers;
		this.temporary = temporary;
	}

	CompletableFuture<Boolean> sharded(String channel) {
		Boolean known = this.sharded;
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		return this.countSubscribers.apply(channel).handle((subscribers, failure) -> {
			if (failure != null && this.temporary.test(LockTransport.cause(failure))) {
				throw new CompletionException(LockTransport.cause(failure));
			}
			this.sharded = failure == null;
			return failure == null;
		});
	}

}
