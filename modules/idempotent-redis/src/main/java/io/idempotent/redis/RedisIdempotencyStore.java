package io.idempotent.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.idempotent.redis.RedisCalls.Present;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.Settlement;
import io.idempotent.store.WakeUps;
import io.idempotent.support.Digest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps the records of many nodes in one Redis, Sentinel group or Cluster (Redis 6 or
 * newer), through the connections of the application.
 *
 * <p>
 * Each operation has one key; a large answer is set under another one first, which is
 * renamed. Most calls are one round trip: one {@code SET}, or one script that accesses
 * only this key. A claim of a key that clients choose is a {@code SET}, and also a script
 * if there is a record other than that of a completed operation, if its outcome is to be
 * cached, or, for any record, if Redis is older than version 7. An unknown outcome costs
 * one more script, which adds it to a list for operators. Leases and retentions are
 * measured by the server's clock only. Every key is written together with its time to
 * live.
 *
 * <p>
 * With Lettuce, a call that Redis does not answer fails after the store's own time-out,
 * whatever the client's; other clients use their own time-outs. After repeated time-outs,
 * one call at a time is sent and all others fail at once, until Redis answers again. A
 * completion or release, which is retried later anyway, fails at once for the duration of
 * a time-out after any call that was not answered. In a Cluster, with Lettuce, this
 * applies to each server separately.
 *
 * <p>
 * It does <em>not</em> promise that Redis keeps what it acknowledged. A restart without
 * persistence, a failover to a replica that lags, or an eviction loses records, and the
 * operation of a lost record can run again; see {@link #evictingPolicy()}.
 *
 * <p>
 * Redis pushes wake-ups only for submissions that wait. Each JVM needs one subscription
 * for them, which starts with the first {@link #subscribe} and ends with
 * {@link #close()}.
 */
public final class RedisIdempotencyStore implements IdempotencyStore, RecordAdministration, WakeUps, AutoCloseable {

	/** Thousands of years, and still exact as milliseconds in a double of Lua. */
	private static final Duration FOREVER = Duration.ofMillis(1L << 47);

	private static final String EVICTION_POLICY = "maxmemory-policy";

	private static final Log logger = LogFactory.getLog(RedisIdempotencyStore.class);

	private final RedisConnectionFactory connections;

	private final RedisCalls redis;

	private final RedisKeys keys;

	private final RedisAdministration administration;

	private final RedisCompletions completions;

	private final RedisWakeUps wakeUps;

	/**
	 * Creates a store. Opens no connection yet.
	 * @param connections the application's Redis
	 * @param keyPrefix the prefix of every key and of the wake-up channel: printable
	 * ASCII without spaces and without the braces that would send a whole Cluster's
	 * records to one node
	 * @param timeout how long a call waits for Redis, its connection included
	 * @throws IllegalArgumentException if the prefix is not valid
	 */
	public RedisIdempotencyStore(RedisConnectionFactory connections, String keyPrefix, Duration timeout) {
		this(connections, keyPrefix, timeout, RedisAddress.of(connections));
	}

	/**
	 * Creates a store whose connection factory does not know its address, otherwise as
	 * {@link #RedisIdempotencyStore(RedisConnectionFactory, String, Duration)}.
	 * @param address how messages name the servers, without credentials
	 * @throws IllegalArgumentException if the prefix is not valid
	 */
	public RedisIdempotencyStore(RedisConnectionFactory connections, String keyPrefix, Duration timeout,
			String address) {
		this(connections, keyPrefix, RedisCalls.through(connections, timeout, address));
	}

	RedisIdempotencyStore(RedisConnectionFactory connections, String keyPrefix, RedisCalls redis) {
		this.connections = connections;
		this.redis = redis;
		this.keys = new RedisKeys(keyPrefix);
		this.administration = new RedisAdministration(redis, this.keys, new UnknownSet(redis, this.keys));
		this.completions = new RedisCompletions(redis, this.keys);
		this.wakeUps = new RedisWakeUps(connections, this.keys.channel());
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		this.redis.setIfAbsent("issue", key, this.keys.key(key), RecordFormat.issued(), millis(timeToLive));
	}

	/**
	 * Almost every key that is not issued is new, and {@code SET} writes its record for a
	 * third of what a script costs Redis, or returns the record of a completed operation.
	 * The script decides about stored tokens, and whatever else stands in the way.
	 */
	@Override
	public ClaimResult claim(ClaimRequest request) {
		byte[] key = this.keys.key(request.key());
		long retention = millis(request.retention());
		byte[] first = RecordFormat.claimed(request, millis(request.lease()), retention);
		if (request.admission() == Admission.OPEN && !request.listening()) {
			Present present = this.redis.setOrGet("claim", request.key(), key, first, retention);
			if (present.absent()) {
				return new ClaimResult.Granted(1, false);
			}
			ClaimResult result = (present.value() != null)
					? RecordFormat.answer(present.value(), request, (attempt) -> remains(request.key(), attempt))
					: null;
			if (result != null) {
				return result;
			}
		}
		List<Object> reply = this.redis.run(LuaScript.CLAIM, "claim", request.key(), key, first, retention,
				letters(request));
		// The numbers that claim.lua names.
		return switch (RecordFormat.tag(reply, request.key())) {
			case 0 -> new ClaimResult.Granted(1, false);
			case 1 -> new ClaimResult.Granted(Math.toIntExact(RecordFormat.number(reply, 1)),
					RecordFormat.number(reply, 2) == 1);
			case 2 -> new ClaimResult.InProgress(Duration.ofMillis(RecordFormat.number(reply, 1)));
			case 3 -> RecordFormat.completed((byte[]) reply.get(2), RecordFormat.number(reply, 1));
			case 4 -> {
				this.administration.unknown().add(request.key());
				yield new ClaimResult.Unknown();
			}
			case 5 -> new ClaimResult.KeyReused(new Fingerprint(Digest.of((byte[]) reply.get(1))));
			case 6 -> new ClaimResult.NotIssued();
			case 7 -> throw this.redis.refusedRepeat("claim", request.key(), (byte[]) reply.get(1));
			default -> throw new IllegalStateException("The script replied " + reply);
		};
	}

	private long remains(OperationKey key, byte[] attempt) {
		return RecordFormat.number(this.redis.run(LuaScript.REMAINS, "claim", key, this.keys.key(key), attempt), 0);
	}

	/** The options of the request that are not part of the record. */
	private static String letters(ClaimRequest request) {
		return ((request.admission() == Admission.ISSUED) ? "I" : "")
				+ ((request.lapsed() == Lapsed.TAKE_OVER) ? "T" : "") + (request.listening() ? "L" : "");
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return RecordFormat.ownership(claim, this.redis.run(LuaScript.RENEW, "renewal", claim.key(),
				this.keys.key(claim.key()), RecordFormat.id(claim.attempt(), claim.owner()), millis(lease)));
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		return this.completions.complete(claim, RecordFormat.finished(claim, outcome), millis(retention));
	}

	/** A master of a Cluster that hangs must not delay renewals on the others. */
	@Override
	public int renewalsAtOnce() {
		return 64;
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		Ownership ownership = RecordFormat.ownership(claim, this.redis.runUnlessSuspected(LuaScript.RELEASE, "release",
				claim.key(), this.keys.key(claim.key()), RecordFormat.id(claim.attempt(), claim.owner()), release));
		if (ownership == Ownership.HELD && release == Release.UNKNOWN) {
			this.administration.unknown().add(claim.key());
		}
		return ownership;
	}

	@Override
	public RecordSnapshot inspect(OperationKey key) {
		return this.administration.inspect(key);
	}

	@Override
	public FoundKeys findKeys(KeyPrefix prefix, int limit) {
		return this.administration.findKeys(prefix, limit);
	}

	@Override
	public UnknownRecords unknown(int limit) {
		return this.administration.unknown(limit);
	}

	@Override
	public SettlementResult settle(Settlement settlement) {
		return this.administration.settle(settlement);
	}

	@Override
	public String nameOf(OperationKey key) {
		return this.keys.name(key);
	}

	@Override
	public Subscription subscribe(OperationKey key, Runnable wake) {
		return this.wakeUps.subscribe(key, wake);
	}

	/**
	 * Asks Redis whether it evicts keys when its memory is full, which would lose
	 * records. All keys of the store have a time to live, so that the {@code volatile-}
	 * policies are no better than the others.
	 * @return the policy of the first server that has another one than
	 * {@code noeviction}; nothing if there is none, or if Redis refuses the question
	 */
	public Optional<String> evictingPolicy() {
		try (RedisConnection connection = this.connections.getConnection()) {
			// In a Cluster each setting is preceded by its node.
			return connection.serverCommands()
				.getConfig(EVICTION_POLICY)
				.values()
				.stream()
				.map(Object::toString)
				.filter((policy) -> !policy.equals("noeviction"))
				.findFirst();
		}
		catch (RuntimeException ex) {
			logger.debug("Redis refused to return its " + EVICTION_POLICY, ex);
			return Optional.empty();
		}
	}

	/** Ends the subscription to wake-ups. The application's connections stay open. */
	@Override
	public void close() {
		this.wakeUps.close();
		this.redis.close();
	}

	/** The server, as messages name it. */
	@Override
	public String toString() {
		return this.redis.toString();
	}

	/** Rounded up, because Redis takes no time to live of zero. */
	private static long millis(Duration duration) {
		return (duration.compareTo(FOREVER) >= 0) ? FOREVER.toMillis()
				: Math.max(1, duration.plusNanos(999_999).toMillis());
	}

}
