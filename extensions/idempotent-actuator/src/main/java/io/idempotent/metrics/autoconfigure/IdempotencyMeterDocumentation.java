package io.idempotent.metrics.autoconfigure;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import org.jspecify.annotations.Nullable;

/**
 * The meters of idempotent operations and of locks, as {@code docs/metrics.md} lists
 * them. All are of one node.
 */
public enum IdempotencyMeterDocumentation implements MeterDocumentation {

	/**
	 * The calls of the store that submissions make, and how long they take. Retries count
	 * one by one; what health indicators and operators ask, and the search for a claim
	 * whose reply was lost, do not count.
	 */
	STORE_CALLS("idempotent.store.calls", Meter.Type.TIMER, null, MeterTag.CALL, MeterTag.RESULT),

	/** The claims that this node holds and renews. */
	CLAIMS_RUNNING("idempotent.claims.running", Meter.Type.GAUGE, null),

	/**
	 * The submissions that wait for the end of a running operation, each of which
	 * occupies a thread. {@code idempotent.wait.max-waiters} is the limit.
	 */
	SUBMISSIONS_WAITING("idempotent.submissions.waiting", Meter.Type.GAUGE, null),

	/**
	 * The outcomes of ended operations that the store has not accepted yet. They are
	 * retried once a second, and lost if the process dies.
	 */
	WRITES_PENDING("idempotent.writes.pending", Meter.Type.GAUGE, null),

	/**
	 * The memory of these outcomes. From 16 MB on responses are left out, and from 32 MB
	 * on outcomes are dropped.
	 */
	WRITES_PENDING_BYTES("idempotent.writes.pending.bytes", Meter.Type.GAUGE, "bytes"),

	/** The outcomes that were dropped: for repeats the outcome is unknown. */
	WRITES_DROPPED("idempotent.writes.dropped", Meter.Type.COUNTER, null),

	/** What happened to receipts. */
	RECEIPTS("idempotent.receipts", Meter.Type.COUNTER, null, MeterTag.EVENT),

	/** The locks that threads of this node hold. */
	LOCK_HELD("idempotent.lock.held", Meter.Type.GAUGE, null, MeterTag.ENGINE),

	/**
	 * The threads of this node that wait for a lock, in this JVM or at the engine. Each
	 * attempt to take a lock is one, also while it is being granted at once.
	 */
	LOCK_WAITING("idempotent.lock.waiting", Meter.Type.GAUGE, null, MeterTag.ENGINE),

	/** For how long the oldest lock has been held that is held now, 0 if none is. */
	LOCK_OLDEST("idempotent.lock.oldest", Meter.Type.GAUGE, "seconds", MeterTag.ENGINE),

	/** How long locks were held, from the grant until the release or the loss. */
	LOCK_HOLD("idempotent.lock.hold", Meter.Type.TIMER, null, MeterTag.END, MeterTag.ENGINE, MeterTag.GROUP),

	/**
	 * The locks that were lost while they were held: another thread or node may have held
	 * them at the same time.
	 */
	LOCK_LOSSES("idempotent.lock.losses", Meter.Type.COUNTER, null, MeterTag.ENGINE),

	/** 1 for the engine that is in force on this node, 0 for the others. */
	LOCK_IN_FORCE("idempotent.lock.in-force", Meter.Type.GAUGE, null, MeterTag.ENGINE);

	private final String name;

	private final Meter.Type type;

	private final @Nullable String unit;

	@SuppressWarnings("ImmutableEnumChecker") // only copies leave this class
	private final KeyName[] keyNames;

	IdempotencyMeterDocumentation(String name, Meter.Type type, @Nullable String unit, KeyName... keyNames) {
		this.name = name;
		this.type = type;
		this.unit = unit;
		this.keyNames = keyNames;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public @Nullable String getBaseUnit() {
		return this.unit;
	}

	@Override
	public KeyName[] getKeyNames() {
		return this.keyNames.clone();
	}

	/** A tag of meters, which is named like its constant. */
	enum MeterTag implements KeyName {

		/**
		 * What was asked: {@code claim}, {@code complete}, {@code renew}, {@code release}
		 * or {@code issue}.
		 */
		CALL,

		/**
		 * What a claim met ({@code granted}, {@code in-progress}, {@code completed},
		 * {@code unknown}, {@code key-reused} or {@code not-issued}), whether the owner
		 * still {@code held} the claim or had {@code lost} it, {@code issued}; or that
		 * the store was {@code unavailable} or the call {@code failed} otherwise.
		 */
		RESULT,

		/**
		 * {@code written}: committed with the effect. {@code refused}: it existed before,
		 * so that the transaction of another attempt was rolled back. {@code withdrawn}:
		 * deleted, because the operation reported that it had no effect.
		 * {@code resolved}: it decided an unknown outcome.
		 */
		EVENT,

		/** The name of the lock engine. */
		ENGINE,

		/** How the hold ended: {@code released} or {@code lost}. */
		END,

		/** The group of the lock: its name up to the first colon. */
		GROUP;

		@Override
		public String asString() {
			return value(this);
		}

		static String value(Enum<?> constant) {
			return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
