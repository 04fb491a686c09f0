package io.idempotent.observation;

import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.submission.event.SubmissionObserver.SubmissionObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Never throws: an exception of a handler or convention is logged, and hides none of the
 * application.
 */
final class ObservedSubmission implements SubmissionObservation {

	private static final Log logger = LogFactory.getLog(ObservedSubmission.class);

	private final ObservationRegistry registry;

	private final SubmissionObservationContext context;

	private final Observation observation;

	private final AtomicBoolean ended = new AtomicBoolean();

	/** Of the last run, if it counts. */
	private volatile @Nullable Throwable failure;

	ObservedSubmission(ObservationRegistry registry, SubmissionObservationContext context, Observation observation) {
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
