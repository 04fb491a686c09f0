package io.idempotent.observation;

import io.idempotent.observation.SubmissionObservationDocumentation.HighCardinalityKeyNames;
import io.idempotent.observation.SubmissionObservationDocumentation.LowCardinalityKeyNames;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

/**
 * The name and the key values of {@link SubmissionObservationDocumentation}. A bean of a
 * subclass, as any {@link GlobalObservationConvention} of this context, replaces them.
 */
public class DefaultSubmissionObservationConvention
		implements GlobalObservationConvention<SubmissionObservationContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof SubmissionObservationContext;
	}

	@Override
	public String getName() {
		return "idempotent.submission";
	}

	@Override
	public String getContextualName(SubmissionObservationContext context) {
		return "submit " + context.getOperation();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(SubmissionObservationContext context) {
		String outcome = context.getOutcome();
		return KeyValues.of(
				LowCardinalityKeyNames.ENTRANCE.withValue((context.getEntrance() == Entrance.HTTP) ? "http" : "method"),
				LowCardinalityKeyNames.OPERATION.withValue(context.getOperation()),
				LowCardinalityKeyNames.OUTCOME.withValue((outcome != null) ? outcome : "unknown"));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(SubmissionObservationContext context) {
		String key = context.getKey();
		if (key == null) {
			return KeyValues.empty();
		}
		KeyValue hash = HighCardinalityKeyNames.KEY.withValue(key);
		return (context.getAttempt() > 0)
				? KeyValues.of(HighCardinalityKeyNames.ATTEMPT.withValue(Integer.toString(context.getAttempt())), hash)
				: KeyValues.of(hash);
	}

}
