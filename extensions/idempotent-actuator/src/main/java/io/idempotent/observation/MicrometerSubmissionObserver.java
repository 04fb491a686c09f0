package io.idempotent.observation;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.submission.event.SubmissionObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Observes submissions by an {@link ObservationRegistry}. A registry without handlers
 * costs nothing. What handlers and conventions throw is logged, and does not affect the
 * submission.
 *
 * @param trace {@code null} without tracing
 */
public record MicrometerSubmissionObserver(ObservationRegistry registry,
		@Nullable Supplier<@Nullable String> trace) implements SubmissionObserver {

	private static final Log logger = LogFactory.getLog(MicrometerSubmissionObserver.class);

	private static final DefaultSubmissionObservationConvention DEFAULT_CONVENTION = new DefaultSubmissionObservationConvention();

	@Override
	public SubmissionObservation start(String operation, Entrance entrance) {
		if (this.registry.isNoop()) {
			return SubmissionObservation.NONE;
		}
		SubmissionObservationContext context = new SubmissionObservationContext(operation, entrance);
		try {
			return new ObservedSubmission(this.registry, context,
					SubmissionObservationDocumentation.SUBMISSION
						.observation(null, DEFAULT_CONVENTION, () -> context, this.registry)
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

	/** Never throws. */
	private static final class ObservedSubmission implements SubmissionObservation {

		private final ObservationRegistry registry;

		private final SubmissionObservationContext context;

		private final Observation observation;

		private final AtomicBoolean ended = new AtomicBoolean();

		/** Of the last run, if it counts. */
		private volatile @Nullable Throwable failure;

		ObservedSubmission(ObservationRegistry registry, SubmissionObservationContext context,
				Observation observation) {
			this.registry = registry;
			this.context = context;
			this.observation = observation;
		}

		@Override
		public Scope openScope() {
			Observation.Scope outer = this.registry.getCurrentObservationScope();
			try {
				Observation.Scope scope = this.observation.openScope();
				return () -> close(scope, outer);
			}
			catch (Throwable ex) {
				restore(outer, ex);
				return Scope.NONE;
			}
		}

		private void close(Observation.Scope scope, Observation.@Nullable Scope outer) {
			try {
				scope.close();
			}
			catch (Throwable ex) {
				restore(outer, ex);
			}
		}

		private void restore(Observation.@Nullable Scope outer, Throwable ex) {
			this.registry.setCurrentObservationScope(outer);
			warn(ex);
		}

		@Override
		public void decided(OperationKey key, int attempt, @Nullable Origin origin) {
			this.context.decided(key, attempt, origin);
		}

		@Override
		public void failed(@Nullable Throwable thrown) {
			this.failure = thrown;
		}

		@Override
		public void end(String outcome) {
			if (!this.ended.compareAndSet(false, true)) {
				return;
			}
			try {
				this.context.ended(outcome);
				Throwable thrown = this.failure;
				if (thrown != null) {
					this.observation.error(thrown);
				}
				this.observation.stop();
			}
			catch (Throwable ex) {
				warn(ex);
			}
		}

		private void warn(Throwable ex) {
			logger.warn("The observation of operation '" + this.context.getOperation()
					+ "' is incomplete: see its handlers, filters and convention", ex);
		}

	}

}
