package io.idempotent.redis;

import java.time.Duration;
import java.util.List;

import io.idempotent.redis.StoreCommands.KeyPage;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordAdministration.FoundKeys;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordAdministration.UnknownRecords;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;

/** What the store offers operators: reads, finds and settles records. */
record RedisAdministration(RedisCalls redis, RedisKeys keys, UnknownSet unknown) {

	private static final Duration SEARCH_TIME = Duration.ofSeconds(5);

	RecordSnapshot inspect(OperationKey key) {
		List<Object> reply = this.redis.run(LuaScript.INSPECT, "inspection", key, this.keys.key(key));
		if (RecordFormat.tag(reply, key) == 0) {
			return RecordSnapshot.absent(key);
		}
		return RecordFormat.snapshot(key, (byte[]) reply.get(3), Duration.ofMillis(RecordFormat.number(reply, 2)),
				Duration.ofMillis(Math.max(0, RecordFormat.number(reply, 1))));
	}

	/** A whole key needs no search. Operations of unknown outcome are searched first. */
	FoundKeys findKeys(KeyPrefix prefix, int limit) {
		OperationKey whole = prefix.wholeKey();
		if (whole != null) {
			return new FoundKeys(exists(whole) ? List.of(whole) : List.of(), true);
		}
		List<OperationKey> known = this.unknown.find(prefix).stream().filter(this::exists).limit(limit).toList();
		return known.isEmpty() ? scan(prefix, limit) : new FoundKeys(known, false);
	}

	private boolean exists(OperationKey key) {
		return inspect(key).state() != RecordState.ABSENT;
	}

	/**
	 * Redis does not sort keys, so all of them are scanned in small steps. The search
	 * ends with the first step that finds a key: two digests hardly ever share 72 bits.
	 */
	private FoundKeys scan(KeyPrefix prefix, int limit) {
		byte[] pattern = this.keys.pattern(prefix);
		long deadline = System.nanoTime() + SEARCH_TIME.toNanos();
		KeyPage page = this.redis.scan(null, pattern);
		while (page != null && page.keys().isEmpty() && page.next() != null && System.nanoTime() < deadline) {
			page = this.redis.scan(page.next(), pattern);
		}
		return (page != null)
				? new FoundKeys(page.keys().stream().map(this.keys::parse).distinct().limit(limit).toList(),
						page.next() == null)
				: new FoundKeys(List.of(), false);
	}

	UnknownRecords unknown(int limit) {
		return this.unknown.list(limit, this::inspect);
	}

	SettlementResult settle(Settlement settlement) {
		List<Object> reply = this.redis.run(LuaScript.SETTLE, "settlement", settlement.key(),
				this.keys.key(settlement.key()), RecordFormat.id(settlement.attempt(), settlement.seen()),
				settlement.kind(), settlement.force() ? 1 : 0, settlement.by().bytes());
		return switch (RecordFormat.tag(reply, settlement.key())) {
			case 1 -> {
				this.unknown.remove(List.of(settlement.key()));
				yield SettlementResult.SETTLED;
			}
			case 2 -> SettlementResult.ALIVE;
			default -> SettlementResult.CHANGED;
		};
	}

}
