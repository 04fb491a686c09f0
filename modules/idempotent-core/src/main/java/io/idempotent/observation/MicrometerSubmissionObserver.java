package io.idempotent.observation;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.submission.event.GateListener;
import io.idempotent.submission.event.SubmissionObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes submissions by an {@link ObservationRegistry}. The gate logs exceptions of
 * handlers and conventions; here they are kept from leaving a scope open.
 */
public final class MicrometerSubmissionObserver implements GateListener {

	private static final SubmissionObservationConvention DEFAULT_CONVENTION = new DefaultSubmissionObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable SubmissionObservationConvention convention;

	/** {@code null} for the registry's convention or the default one. */
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
		return new ObservedSubmission(context,
				SubmissionObservationDocumentation.SUBMISSION
					.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.registry)
					.start(),
				this.registry, new AtomicReference<>(), new AtomicBoolean());
	}

	/** The failure is that of the last run, if it counts. */
	private record ObservedSubmission(SubmissionObservationContext context, Observation observation,
			ObservationRegistry registry, AtomicReference<@Nullable Throwable> failure,
			AtomicBoolean ended) implements SubmissionObservation {

		@Override
		public Scope openScope() {
			Observation.Scope outer = this.registry.getCurrentObservationScope();
			try {
				Observation.Scope scope = this.observation.openScope();
				return () -> close(scope, outer);
			}
			catch (Throwable ex) {
				this.registry.setCurrentObservationScope(outer);
				throw ex;
			}
		}

		private void close(Observation.Scope scope, Observation.@Nullable Scope outer) {
			try {
				scope.close();
			}
			catch (Throwable ex) {
				this.registry.setCurrentObservationScope(outer);
				throw ex;
			}
		}

		@Override
		public void decided(OperationKey key, int attempt, @Nullable Origin origin) {
			this.context.decided(key, attempt, origin);
		}

		@Override
		public void failed(@Nullable Throwable thrown) {
			this.failure.set(thrown);
		}

		@Override
		public void end(String outcome) {
			if (this.ended.compareAndSet(false, true)) {
				this.context.ended(outcome);
				Throwable thrown = this.failure.get();
				if (thrown != null) {
					this.observation.error(thrown);
				}
				this.observation.stop();
			}
		}

	}

}
