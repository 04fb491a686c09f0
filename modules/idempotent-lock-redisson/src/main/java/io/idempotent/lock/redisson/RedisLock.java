package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import org.redisson.RedissonObject;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.pubsub.PublishSubscribeService;

/**
 * A lock in Redis as one owner sees it: each call is one script, sent once and not
 * repeated. To Redisson the owner is one more thread of the client, with a negative
 * number that no thread has.
 */
final class RedisLock {

	/**
	 * How long a waiting owner keeps its place without asking again: several times as
	 * long as it waits before it asks.
	 */
	private static final Duration PLACE = Duration.ofSeconds(30);

	private final CommandAsyncExecutor redis;

	private final String name;

	private final boolean fair;

	private final String owner;

	private final String key;

	private final String channel;

	private final List<Object> takeKeys;

	private final List<Object> releaseKeys;

	RedisLock(CommandAsyncExecutor redis, String name, boolean fair) {
		this.redis = redis;
		this.name = name;
		this.fair = fair;
		this.owner = clientId() + ":" + (ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
		this.key = redis.getServiceManager().getNameMapper().map(name);
		this.channel = RedissonObject.prefixName("redisson_lock__channel", this.key);
		String token = RedissonObject.prefixName("redisson_lock_token", this.key);
		if (fair) {
			String queue = RedissonObject.prefixName("redisson_lock_queue", this.key);
			String timeouts = RedissonObject.prefixName("redisson_lock_timeout", this.key);
			this.takeKeys = List.of(this.key, token, queue, timeouts);
			this.releaseKeys = List.of(this.key, this.channel, queue, timeouts);
		}
		else {
			this.takeKeys = List.of(this.key, token);
			this.releaseKeys = List.of(this.key, this.channel);
		}
	}

	/**
	 * Asks for the lock. Where there are replicas, Redisson waits until one has heard of
	 * the answer.
	 * @param lease how long a grant lives
	 * @param queue whether a fair lock keeps a place for this owner
	 * @return the token and zero, or zero and the milliseconds that the lock stays taken
	 */
	CompletableFuture<List<Long>> take(Duration lease, boolean queue) {
		String script = this.fair ? LockScripts.TAKE_IN_TURN : LockScripts.TAKE;
		return this.redis
			.<List<Long>>syncedEvalNoRetry(this.key, LongCodec.INSTANCE, RedisCommands.EVAL_LONG_LIST, script,
					this.takeKeys, this.owner, millis(lease), queue ? PLACE.toMillis() : 0)
			.toCompletableFuture();
	}

	/**
	 * Takes the lock from its owner.
	 * @param owner who has it
	 * @param lease how long a grant lives
	 * @return the token, or zero if the owner did not have it
	 */
	CompletableFuture<List<Long>> takeFrom(RedisLock owner, Duration lease) {
		return this.redis
			.<List<Long>>syncedEvalNoRetry(this.key, LongCodec.INSTANCE, RedisCommands.EVAL_LONG_LIST,
					LockScripts.PASS_ON, this.takeKeys, this.owner, millis(lease), owner.owner)
			.toCompletableFuture();
	}

	/**
	 * Lets the lease start again.
	 * @param lease how long it lives from now
	 * @return whether this owner had the lock
	 */
	CompletableFuture<Boolean> renew(Duration lease) {
		return this.redis
			.<Boolean, Boolean>evalWriteNoRetryAsync(this.key, LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
					LockScripts.RENEW, List.of(this.key), this.owner, millis(lease))
			.toCompletableFuture();
	}

	/**
	 * Gives back what this owner has: the lock, or its place in the queue.
	 * @param keepFor how long the lock stays taken all the same
	 * @return whether this owner had the lock
	 */
	CompletableFuture<Boolean> release(Duration keepFor) {
		String script = this.fair ? LockScripts.RELEASE_IN_TURN : LockScripts.RELEASE;
		return this.redis
			.<Boolean, Boolean>evalWriteNoRetryAsync(this.key, LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN, script,
					this.releaseKeys, this.owner, keepFor.isZero() ? 0 : millis(keepFor),
					messages().getPublishCommand())
			.toCompletableFuture();
	}

	/**
	 * Listens for releases. A subscription is shared with everybody who waits for the
	 * same lock on this client, Redisson's own locks included; in a queue each owner is
	 * called by itself.
	 * @return the subscription, on its way
	 */
	Subscription subscribe() {
		String entry = clientId() + ":" + this.name;
		return this.fair
				? new Subscription(messages().getLockPubSub(), entry + ":" + this.owner,
						this.channel + ":" + this.owner)
				: new Subscription(messages().getLockPubSub(), entry, this.channel);
	}

	boolean isFair() {
		return this.fair;
	}

	/**
	 * The same lock as another owner sees it.
	 * @return the lock
	 */
	RedisLock forAnotherOwner() {
		return new RedisLock(this.redis, this.name, this.fair);
	}

	@Override
	public String toString() {
		return "the lock '" + this.name + "'";
	}

	private String clientId() {
		return this.redis.getServiceManager().getId();
	}

	private PublishSubscribeService messages() {
		return this.redis.getConnectionManager().getSubscribeService();
	}

	private static long millis(Duration time) {
		return Math.max(1, time.toMillis());
	}

}
