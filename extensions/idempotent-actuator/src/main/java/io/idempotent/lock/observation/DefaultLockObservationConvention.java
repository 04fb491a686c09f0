package io.idempotent.lock.observation;

import java.util.Locale;

import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.observation.LockObservationDocumentation.LowCardinalityKeyNames;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

/**
 * The name and the key values of {@link LockObservationDocumentation}. A bean of a
 * subclass, as any {@link GlobalObservationConvention} of this context, replaces them.
 */
public class DefaultLockObservationConvention implements GlobalObservationConvention<LockObservationContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof LockObservationContext;
	}

	@Override
	public String getName() {
		return "idempotent.lock";
	}

	@Override
	public String getContextualName(LockObservationContext context) {
		return "lock " + context.getGroup();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
		AcquisitionOutcome outcome = context.getOutcome();
		return KeyValues.of(LowCardinalityKeyNames.ENGINE.withValue(context.getEngine()),
				LowCardinalityKeyNames.GROUP.withValue(context.getGroup()),
				LowCardinalityKeyNames.MODE.withValue(context.getMode().name().toLowerCase(Locale.ROOT)),
				LowCardinalityKeyNames.OUTCOME.withValue((outcome != null) ? outcome.code() : "unknown"));
	}

}
