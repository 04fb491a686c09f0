package io.idempotent.observation;

import io.idempotent.observation.SubmissionObservationContext.Entrance;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Observes submissions by an {@link ObservationRegistry}.
 *
 * @param convention {@code null} for the registry's convention or the default one
 */
public record SubmissionObserver(ObservationRegistry registry, @Nullable SubmissionObservationConvention convention) {

	/** Observes nothing. */
	public static final SubmissionObserver NONE = new SubmissionObserver(ObservationRegistry.NOOP, null);

	private static final Log logger = LogFactory.getLog(SubmissionObserver.class);

	private static final SubmissionObservationConvention DEFAULT_CONVENTION = new DefaultSubmissionObservationConvention();

	/** The observation must be ended. Never throws: what fails is logged. */
	public SubmissionObservation start(String operation, Entrance entrance) {
		if (this.registry.isNoop()) {
			return SubmissionObservation.NONE;
		}
		SubmissionObservationContext context = new SubmissionObservationContext(operation, entrance);
		try {
			return new SubmissionObservation(this.registry, context,
					SubmissionObservationDocumentation.SUBMISSION
						.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.registry)
						.start());
		}
		catch (Throwable ex) {
			logger.warn("A submission to operation '" + operation + "' goes on unobserved", ex);
			return SubmissionObservation.NONE;
		}
	}

}
