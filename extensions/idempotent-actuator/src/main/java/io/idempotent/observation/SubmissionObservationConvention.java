package io.idempotent.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observation of submissions and its key values. A bean of this type replaces
 * the {@link DefaultSubmissionObservationConvention}.
 */
public interface SubmissionObservationConvention extends ObservationConvention<SubmissionObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof SubmissionObservationContext;
	}

}
