package io.idempotent.lock.observation;

import java.util.Locale;

import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.observation.LockObservationDocumentation.LowCardinalityKeyNames;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The default {@link LockObservationConvention}: the names of
 * {@link LockObservationDocumentation}.
 */
public class DefaultLockObservationConvention implements LockObservationConvention {

	private static final String DEFAULT_NAME = "idempotent.lock";

	private final String name;

	public DefaultLockObservationConvention() {
		this(DEFAULT_NAME);
	}

	/** Creates the convention with another name of the observation. */
	public DefaultLockObservationConvention(String name) {
		this.name = name;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public String getContextualName(LockObservationContext context) {
		return "lock " + context.getGroup();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
		return KeyValues.of(engine(context), group(context), mode(context), outcome(context));
	}

	/** The key value of the engine. */
	protected KeyValue engine(LockObservationContext context) {
		return LowCardinalityKeyNames.ENGINE.withValue(context.getEngine());
	}

	/** The key value of the lock's group. */
	protected KeyValue group(LockObservationContext context) {
		return LowCardinalityKeyNames.GROUP.withValue(context.getGroup());
	}

	/** The key value of the mode. */
	protected KeyValue mode(LockObservationContext context) {
		return LowCardinalityKeyNames.MODE.withValue(context.getMode().name().toLowerCase(Locale.ROOT));
	}

	/** The key value of the outcome; {@code unknown} until the acquisition ends. */
	protected KeyValue outcome(LockObservationContext context) {
		AcquisitionOutcome outcome = context.getOutcome();
		return LowCardinalityKeyNames.OUTCOME.withValue((outcome != null) ? outcome.code() : "unknown");
	}

}
