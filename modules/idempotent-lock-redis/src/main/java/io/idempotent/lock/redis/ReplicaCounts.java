package io.idempotent.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Caches the number of replicas of a key's master; a grant that waits for too many waits
 * until a timeout. A count is kept until a grant shows that it is wrong. A count that no
 * grant can show to be too low expires: that of a master without replicas, and that of
 * the replicas which have answered while another one hangs.
 */
final class ReplicaCounts {

	/** Returns how many replicas the server of a key has. */
	static final String SCRIPT = """
			return tonumber(string.match(redis.call('info', 'replication'), 'connected_slaves:(%d+)')) or 0
			""";

	private static final int SLOTS = 16384;

	private static final long EXPIRY = TimeUnit.SECONDS.toNanos(5);

	private final boolean cluster;

	private final Map<Integer, Count> counts = new ConcurrentHashMap<>();

	/** In a cluster, each hash slot may have another master. */
	ReplicaCounts(boolean cluster) {
		this.cluster = cluster;
	}

	CompletableFuture<Integer> of(String key, Supplier<CompletableFuture<Long>> ask) {
		int slot = slot(key);
		Count known = this.counts.get(slot);
		if (known != null && !known.isExpired()) {
			return CompletableFuture.completedFuture(known.replicas());
		}
		return ask.get().thenApply((replicas) -> {
			this.counts.put(slot, new Count(replicas.intValue(), replicas == 0, System.nanoTime()));
			return replicas.intValue();
		});
	}

	/** Whoever cancels the reply cancels the grant. */
	CompletableFuture<Long> synced(String key, int count, CompletableFuture<Long> grant, CompletableFuture<Long> wait) {
		CompletableFuture<Long> both = grant.thenCombine(wait, (reply, synced) -> {
			requireSynced(key, reply, count, synced, true);
			return reply;
		});
		CompletableFuture<?> unused = both.whenComplete((reply, failure) -> {
			if (both.isCancelled()) {
				grant.cancel(true);
			}
		});
		return both;
	}

	/** Fails if it was a grant that no replica has received, and one had to. */
	void requireSynced(String key, long reply, int count, long synced, boolean required) {
		if (synced > count || synced == 0) {
			forget(key);
		}
		else if (synced < count) {
			this.counts.put(slot(key), new Count((int) synced, true, System.nanoTime()));
		}
		if (synced == 0 && reply > 0 && required) {
			throw new IllegalStateException("None of " + count + " replicas has synced the lock in time");
		}
	}

	private void forget(String key) {
		@Nullable Count unused = this.counts.remove(slot(key));
	}

	private int slot(String key) {
		return this.cluster ? slotOf(key) : 0;
	}

	/** CRC16 (XMODEM) of the hash tag, as in a Redis Cluster. */
	static int slotOf(String key) {
		int open = key.indexOf('{');
		int close = key.indexOf('}', open + 1);
		String hashed = (open >= 0 && close > open + 1) ? key.substring(open + 1, close) : key;
		int crc = 0;
		for (byte value : hashed.getBytes(StandardCharsets.UTF_8)) {
			crc ^= (value & 0xFF) << 8;
			for (int bit = 0; bit < 8; bit++) {
				crc = ((crc & 0x8000) != 0) ? (crc << 1) ^ 0x1021 : crc << 1;
			}
		}
		return (crc & 0xFFFF) % SLOTS;
	}

	private record Count(int replicas, boolean expires, long since) {

		boolean isExpired() {
			return this.expires && System.nanoTime() - this.since > EXPIRY;
		}

	}

}
