package io.idempotent.benchmarks.memory;

import java.util.concurrent.ThreadLocalRandom;

import io.idempotent.benchmarks.records.Records;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;

/**
 * Kinds of records.
 */
enum Kind {

	ISSUED("issued"),

	IN_PROGRESS("in progress"),

	COMPLETED("completed"),

	TOMBSTONE("tombstone");

	private final String title;

	Kind(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	/** Brings a record about. */
	void create(Records records, OperationKey key, int answer) {
		switch (this) {
			case ISSUED -> records.issue(key);
			case IN_PROGRESS -> records.claim(key);
			case COMPLETED -> records.complete(records.claim(key), Outcome.stored(answer(answer)), Records.RETENTION);
			case TOMBSTONE -> records.complete(records.claim(key), Outcome.TOMBSTONE, Records.RETENTION);
		}
	}

	/** Random, so that no store can compress it. */
	static byte[] answer(int size) {
		byte[] answer = new byte[size];
		ThreadLocalRandom.current().nextBytes(answer);
		return answer;
	}

}
