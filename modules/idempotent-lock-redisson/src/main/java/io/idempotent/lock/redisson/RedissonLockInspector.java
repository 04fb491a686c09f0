package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.administration.LockHolder;
import io.idempotent.lock.administration.LockState;
import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

import static io.idempotent.lock.redisson.RedisScripts.inBytes;

/**
 * Asks Redis who holds a lock, and takes it away, with one script each.
 *
 * @param connection the connection
 */
record RedissonLockInspector(ClientConnection connection) {

	/** The first holder in the reply. */
	private static final int HOLDERS = 3;

	LockState inspect(String name) {
		LockClient redis = this.connection.client();
		RedisLock lock = new ExclusiveRedisLock(redis, name, false);
		List<String> reply = run("inspect ", lock, () -> {
			LockKeys keys = lock.keys();
			return redis.scripts()
				.read(keys, AdministrationScripts.INSPECT, inBytes(keys.key(), keys.token(), keys.readers(),
						keys.waitingReaders(), keys.waitingWriters(), keys.timeouts()),
						String.valueOf(LockState.MAX_HOLDERS));
		});
		Long lastToken = reply.get(1).isEmpty() ? null : Long.valueOf(reply.get(1));
		LockMode mode = reply.get(2).equals("read") ? LockMode.READ : LockMode.WRITE;
		List<LockHolder> holders = new ArrayList<>();
		for (int i = HOLDERS; i < reply.size(); i += 2) {
			String owner = reply.get(i);
			Long token = (mode == LockMode.WRITE && RedisOwners.hasToken(owner)) ? lastToken : null;
			holders.add(new LockHolder(owner, RedisOwners.node(owner), redis.owners().isOfThisClient(owner), mode,
					token, left(Long.parseLong(reply.get(i + 1)))));
		}
		return new LockState(holders, Integer.valueOf(reply.get(0)), lastToken);
	}

	private static @Nullable Duration left(long millis) {
		return (millis >= 0) ? Duration.ofMillis(millis) : null;
	}

	boolean forceRelease(String name) {
		LockClient redis = this.connection.client();
		RedisLock lock = new ExclusiveRedisLock(redis, name, false);
		long released = run("release ", lock, () -> {
			LockKeys keys = lock.keys();
			return lock.publishCommand()
				.thenCompose(
						(publish) -> redis.scripts()
							.number(keys, AdministrationScripts.FORCE_RELEASE, inBytes(keys.key(), keys.channel(),
									keys.readers(), keys.waitingReaders(), keys.queue(), keys.timeouts()), "", "",
									publish));
		});
		if (released < 0) {
			throw RedisFutures.foreignKey(lock, null);
		}
		return released > 0;
	}

	private <T> T run(String what, RedisLock lock, Supplier<CompletableFuture<T>> command) {
		try (InterruptibleWait waiting = InterruptibleWait.throughInterrupts()) {
			return RedisFutures.await(this.connection.send(command, what + lock), what + lock, waiting);
		}
		catch (LockUnavailableException ex) {
			throw RedisFutures.isWrongType(ex) ? RedisFutures.foreignKey(lock, ex) : ex;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("A wait through interrupts was interrupted", ex);
		}
	}

}
