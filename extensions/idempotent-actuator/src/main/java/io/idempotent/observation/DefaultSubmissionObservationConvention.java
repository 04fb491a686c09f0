package io.idempotent.observation;

import io.idempotent.observation.SubmissionObservationDocumentation.HighCardinalityKeyNames;
import io.idempotent.observation.SubmissionObservationDocumentation.LowCardinalityKeyNames;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The default {@link SubmissionObservationConvention}: the names of
 * {@link SubmissionObservationDocumentation}.
 */
public class DefaultSubmissionObservationConvention implements SubmissionObservationConvention {

	private static final KeyValue HTTP = LowCardinalityKeyNames.ENTRANCE.withValue("http");

	private static final KeyValue METHOD = LowCardinalityKeyNames.ENTRANCE.withValue("method");

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
		return KeyValues.of(entrance(context), operation(context), outcome(context));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(SubmissionObservationContext context) {
		String key = context.getKey();
		if (key == null) {
			return KeyValues.empty();
		}
		KeyValue hash = HighCardinalityKeyNames.KEY.withValue(key);
		return (context.getAttempt() > 0) ? KeyValues.of(attempt(context), hash) : KeyValues.of(hash);
	}

	protected KeyValue operation(SubmissionObservationContext context) {
		return LowCardinalityKeyNames.OPERATION.withValue(context.getOperation());
	}

	protected KeyValue entrance(SubmissionObservationContext context) {
		return (context.getEntrance() == Entrance.HTTP) ? HTTP : METHOD;
	}

	/** {@code unknown} while the submission has not ended. */
	protected KeyValue outcome(SubmissionObservationContext context) {
		String outcome = context.getOutcome();
		return LowCardinalityKeyNames.OUTCOME.withValue((outcome != null) ? outcome : "unknown");
	}

	protected KeyValue attempt(SubmissionObservationContext context) {
		return HighCardinalityKeyNames.ATTEMPT.withValue(Integer.toString(context.getAttempt()));
	}

}
