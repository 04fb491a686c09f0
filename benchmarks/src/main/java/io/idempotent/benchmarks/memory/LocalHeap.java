package io.idempotent.benchmarks.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.benchmarks.records.Records;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.local.LocalIdempotencyStore;

/**
 * Fills a store in memory, or for comparison a plain map, and says what the heap holds
 * before and after. Runs in a JVM of its own.
 */
final class LocalHeap {

	private LocalHeap() {
	}

	/**
	 * Runs.
	 * @param arguments how many records, of which kind ({@code MAP} for the map), with an
	 * answer of how many bytes
	 */
	public static void main(String[] arguments) {
		int records = Integer.parseInt(arguments[0]);
		int answer = Integer.parseInt(arguments[2]);
		if (arguments[1].equals("MAP")) {
			map(records, answer);
		}
		else {
			store(records, Kind.valueOf(arguments[1]), answer);
		}
	}

	/** What a store with several threads would need. */
	@SuppressWarnings("UnnecessaryAsync")
	private static void map(int records, int answer) {
		Map<OperationKey, byte[]> map = new ConcurrentHashMap<>(Map.of(Records.key(-1), new byte[0]));
		long before = Heap.used();
		for (int number = 0; number < records; number++) {
			map.put(Records.key(number), Kind.answer(answer));
		}
		ChildJvm.report(before, Heap.used(), map.size() - 1);
	}

	private static void store(int records, Kind kind, int answer) {
		Records steps = new Records(new LocalIdempotencyStore(records + 1));
		kind.create(steps, Records.key(-1), answer);
		long before = Heap.used();
		for (int number = 0; number < records; number++) {
			kind.create(steps, Records.key(number), answer);
		}
		long after = Heap.used();
		ChildJvm.report(before, after, refusesAnother(steps) ? records : -1);
	}

	/** A store that is full has not forgotten anything. */
	private static boolean refusesAnother(Records steps) {
		try {
			steps.claim(Records.key(-2));
			return false;
		}
		catch (StoreUnavailableException ex) {
			return true;
		}
	}

}
