package io.idempotent.observation;

import io.idempotent.engine.SubmissionObservation;
import io.idempotent.engine.SubmissionObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes submissions by an {@link ObservationRegistry}. A registry without handlers
 * costs nothing. Exceptions of handlers and conventions are logged and do not affect the
 * submission.
 */
public final class MicrometerSubmissionObserver implements SubmissionObserver {

	private static final SubmissionObservationConvention DEFAULT_CONVENTION = new DefaultSubmissionObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable SubmissionObservationConvention convention;

	/**
	 * Creates the observer.
	 * @param registry the registry
	 * @param convention the names, or {@code null} for the registry's or the default ones
	 */
	public MicrometerSubmissionObserver(ObservationRegistry registry,
			@Nullable SubmissionObservationConvention convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public SubmissionObservation start(String operation, Entrance entrance) {
		return this.registry.isNoop() ? SubmissionObservation.NONE : startObserved(operation, entrance);
	}

	private SubmissionObservation startObserved(String operation, Entrance entrance) {
		SubmissionObservationContext context = new SubmissionObservationContext(operation, entrance);
		return new ObservedSubmission(context, start(context), this.registry);
	}

	private Observation start(SubmissionObservationContext context) {
		try {
			return SubmissionObservationDocumentation.SUBMISSION
				.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.registry)
				.start();
		}
		catch (Throwable ex) {
			ObservedSubmission.log(ex);
			return Observation.NOOP;
		}
	}

}
