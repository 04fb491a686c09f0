package io.idempotent.observation;

import java.util.function.Supplier;

import io.idempotent.submission.event.SubmissionObserver;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Observes submissions by an {@link ObservationRegistry}. A registry without handlers
 * costs nothing. What handlers and conventions throw is logged, and does not affect the
 * submission.
 *
 * @param convention {@code null} for the registry's convention or the default one
 * @param trace {@code null} without tracing
 */
public record MicrometerSubmissionObserver(ObservationRegistry registry,
		@Nullable SubmissionObservationConvention convention,
		@Nullable Supplier<@Nullable String> trace) implements SubmissionObserver {

	private static final Log logger = LogFactory.getLog(MicrometerSubmissionObserver.class);

	private static final SubmissionObservationConvention DEFAULT_CONVENTION = new DefaultSubmissionObservationConvention();

	@Override
	public SubmissionObservation start(String operation, Entrance entrance) {
		if (this.registry.isNoop()) {
			return SubmissionObservation.NONE;
		}
		SubmissionObservationContext context = new SubmissionObservationContext(operation, entrance);
		try {
			return new ObservedSubmission(this.registry, context,
					SubmissionObservationDocumentation.SUBMISSION
						.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.registry)
						.start());
		}
		catch (Throwable ex) {
			logger.warn("A submission to operation '" + operation + "' goes on unobserved", ex);
			return SubmissionObservation.NONE;
		}
	}

	@Override
	public @Nullable String currentTrace() {
		return (this.trace != null) ? this.trace.get() : null;
	}

}
