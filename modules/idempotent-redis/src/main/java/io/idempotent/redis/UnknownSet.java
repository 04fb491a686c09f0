package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordAdministration.UnknownRecords;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The operations whose outcome is known to be unknown: given up by a node, or found by a
 * later submission, as after the death of a node. For operators only: no submission
 * depends on whether its entry can be written.
 */
record UnknownSet(RedisCalls redis, RedisKeys keys) {

	static final int MAX_ENTRIES = 1_000;

	private static final Duration LIFE = Duration.ofDays(30);

	private static final Log logger = LogFactory.getLog(UnknownSet.class);

	/** Adds an operation. Never throws. */
	void add(OperationKey operation) {
		try {
			this.redis.runUnlessSuspected(LuaScript.UNKNOWN, "note of the unknown outcome", operation,
					this.keys.unknown(), "ADD", Instant.now().toEpochMilli(), operation.encoded(), MAX_ENTRIES,
					LIFE.toMillis());
		}
		catch (StoreUnavailableException ex) {
			logger.debug("The outcome of operation " + operation + " is unknown, but could not be listed as such", ex);
		}
	}

	/** Removes operations. Never throws, since they would be removed later. */
	void remove(List<OperationKey> operations) {
		if (operations.isEmpty()) {
			return;
		}
		Object[] arguments = Stream.concat(Stream.of("REMOVE"), operations.stream().map(OperationKey::encoded))
			.toArray();
		try {
			this.redis.run(LuaScript.UNKNOWN, "update of the unknown outcomes", null, this.keys.unknown(), arguments);
		}
		catch (StoreUnavailableException ex) {
			logger.debug("Operations whose outcome is known could not be removed from the unknown ones", ex);
		}
	}

	/** Lists the operations whose outcome is still unknown, and removes the others. */
	UnknownRecords list(int limit, Function<OperationKey, RecordSnapshot> inspect) {
		List<RecordSnapshot> unknown = new ArrayList<>();
		List<OperationKey> resolved = new ArrayList<>();
		for (OperationKey each : entries()) {
			if (unknown.size() < limit && !add(each, inspect, unknown)) {
				resolved.add(each);
			}
		}
		remove(resolved);
		return new UnknownRecords(unknown, false);
	}

	private static boolean add(OperationKey key, Function<OperationKey, RecordSnapshot> inspect,
			List<RecordSnapshot> unknown) {
		try {
			RecordSnapshot record = inspect.apply(key);
			return record.state() == RecordState.UNKNOWN && unknown.add(record);
		}
		catch (UnreadableRecordException ex) {
			logger.debug("A record that was unknown cannot be read", ex);
			return true;
		}
	}

	List<OperationKey> find(KeyPrefix prefix) {
		return entries().stream().filter(prefix::matches).toList();
	}

	private List<OperationKey> entries() {
		return this.redis
			.run(LuaScript.UNKNOWN, "list of unknown outcomes", null, this.keys.unknown(), "LIST", MAX_ENTRIES)
			.stream()
			.map((member) -> OperationKey.parse(new String((byte[]) member, StandardCharsets.US_ASCII)))
			.toList();
	}

}
