package io.idempotent.benchmarks.scale;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;

/**
 * A store that holds the records of all keys from zero up to a number, completed with an
 * empty answer.
 *
 * @param size the number
 * @param records the store
 * @param retention how long a further record is remembered
 * @param forget deletes a further record, so that the store keeps its size
 * @param next numbers of further keys
 */
record Filled(long size, Records records, Duration retention, Consumer<OperationKey> forget, AtomicLong next) {

	static final Outcome ANSWER = Outcome.stored(new byte[0]);

	/** Further than any store is filled. */
	private static final long FIRST_FREE = 1L << 40;

	Filled(long size, Records records, Duration retention, Consumer<OperationKey> forget) {
		this(size, records, retention, forget, new AtomicLong(FIRST_FREE));
	}

	String name() {
		return String.format(Locale.ROOT, "%,d records", this.size);
	}

	/** A claim and a completion. */
	Contender first() {
		return new Contender(name(), (stopwatch) -> {
			OperationKey key = Records.key(this.next.getAndIncrement());
			stopwatch.start();
			this.records.complete(this.records.claim(key), ANSWER, this.retention);
			stopwatch.stop();
			this.forget.accept(key);
		});
	}

	/** A claim of any record that is there. */
	Contender duplicate() {
		return new Contender(name(), (stopwatch) -> {
			OperationKey key = Records.key(ThreadLocalRandom.current().nextLong(this.size));
			stopwatch.start();
			this.records.duplicate(key, ANSWER);
			stopwatch.stop();
		});
	}

}
