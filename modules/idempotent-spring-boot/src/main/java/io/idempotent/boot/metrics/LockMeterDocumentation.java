package io.idempotent.boot.metrics;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import org.jspecify.annotations.Nullable;

/**
 * The meters of locks, as {@code docs/metrics.md} lists them. All are of one node.
 */
public enum LockMeterDocumentation implements MeterDocumentation {

	/** The locks that threads of this node hold. */
	HELD("idempotent.lock.held", Meter.Type.GAUGE, EngineKeyNames.class),

	/**
	 * The threads of this node that wait for a lock, in this JVM or at the engine. Each
	 * attempt to take a lock is one, also while it is being granted at once.
	 */
	WAITING("idempotent.lock.waiting", Meter.Type.GAUGE, EngineKeyNames.class),

	/** For how long the oldest lock has been held that is held now, 0 if none is. */
	OLDEST("idempotent.lock.oldest", Meter.Type.GAUGE, EngineKeyNames.class) {

		@Override
		public String getBaseUnit() {
			return "seconds";
		}

	},

	/** How long locks were held, from the grant until the release or the loss. */
	HOLD("idempotent.lock.hold", Meter.Type.TIMER, HoldKeyNames.class),

	/**
	 * The locks that were lost while they were held: another thread or node may have held
	 * them at the same time.
	 */
	LOSSES("idempotent.lock.losses", Meter.Type.COUNTER, EngineKeyNames.class),

	/** 1 for the engine that is in force on this node, 0 for the others. */
	IN_FORCE("idempotent.lock.in-force", Meter.Type.GAUGE, EngineKeyNames.class),

	/**
	 * The epoch, which grows with each switch of engines; 0 until this node has asked the
	 * authority, and 1 without switching.
	 */
	EPOCH("idempotent.lock.epoch", Meter.Type.GAUGE, null),

	/** 1 while the nodes switch engines and no locks are granted, otherwise 0. */
	SWITCHING("idempotent.lock.switching", Meter.Type.GAUGE, null),

	/** The switches of engines whose end this node has seen, if switching is enabled. */
	SWITCHES("idempotent.lock.switches", Meter.Type.COUNTER, SwitchKeyNames.class);

	private final String name;

	private final Meter.Type type;

	private final @Nullable Class<? extends KeyName> keyNames;

	LockMeterDocumentation(String name, Meter.Type type, @Nullable Class<? extends KeyName> keyNames) {
		this.name = name;
		this.type = type;
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
		return null;
	}

	@Override
	public KeyName[] getKeyNames() {
		return (this.keyNames != null) ? this.keyNames.getEnumConstants() : new KeyName[0];
	}

	/**
	 * The tag of meters by engine.
	 */
	public enum EngineKeyNames implements TagName {

		/** The name of the lock engine. */
		ENGINE;

	}

	/**
	 * The tags of {@link #HOLD}.
	 */
	public enum HoldKeyNames implements TagName {

		/** How the hold ended: {@code released} or {@code lost}. */
		END,

		/** The name of the lock engine. */
		ENGINE,

		/** The group of the lock: its name up to the first colon. */
		GROUP;

	}

	/**
	 * The tags of {@link #SWITCHES}.
	 */
	public enum SwitchKeyNames implements TagName {

		/** The engine that the nodes switched to, or were to switch to. */
		ENGINE,

		/** {@code completed} or {@code called-off}. */
		RESULT;

	}

}
