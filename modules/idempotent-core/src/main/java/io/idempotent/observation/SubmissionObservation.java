package io.idempotent.observation;

import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The observation of one submission, from the claim of its key until the outcome is
 * recorded. Several threads may use it, one after another. Never throws: an exception of
 * a handler or convention is logged, and hides none of the application.
 */
public final class SubmissionObservation {

	/** Observes nothing. */
	public static final SubmissionObservation NONE = new SubmissionObservation(ObservationRegistry.NOOP, null,
			Observation.NOOP);

	private static final Log logger = LogFactory.getLog(SubmissionObservation.class);

	private final ObservationRegistry registry;

	private final @Nullable SubmissionObservationContext context;

	private final Observation observation;

	private final AtomicBoolean ended = new AtomicBoolean();

	/** Of the last run, if it counts. */
	private volatile @Nullable Throwable failure;

	/** Without a context, nothing is observed. */
	SubmissionObservation(ObservationRegistry registry, @Nullable SubmissionObservationContext context,
			Observation observation) {
		this.registry = registry;
		this.context = context;
		this.observation = observation;
	}

	/** Makes it the current observation of this thread: the parent of those within. */
	public Scope openScope() {
		if (this.context == null) {
			return Scope.NONE;
		}
		Observation.Scope outer = this.registry.getCurrentObservationScope();
		try {
			Observation.Scope scope = this.observation.openScope();
			return () -> close(scope, outer);
		}
		catch (Throwable ex) {
			return restore(outer, ex);
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

	private Scope restore(Observation.@Nullable Scope outer, Throwable ex) {
		this.registry.setCurrentObservationScope(outer);
		warn(ex);
		return Scope.NONE;
	}

	/**
	 * The gate has decided.
	 * @param attempt the number of the attempt that runs or gave the answer, or 0
	 * @param origin of the run that is replayed; {@code null} where it is not known
	 */
	public void decided(OperationKey key, int attempt, @Nullable Origin origin) {
		if (this.context != null) {
			this.context.decided(key, attempt, origin);
		}
	}

	/** The error of the submission; {@code null} if an earlier one no longer counts. */
	public void failed(@Nullable Throwable thrown) {
		if (this.context != null) {
			this.failure = thrown;
		}
	}

	/**
	 * Ends the observation once; further calls do nothing.
	 * @param outcome the code of a {@code SubmissionOutcome} or {@code Refusal}
	 */
	public void end(String outcome) {
		if (this.context == null || !this.ended.compareAndSet(false, true)) {
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
		logger.warn("The observation of operation '" + ((this.context != null) ? this.context.getOperation() : "none")
				+ "' is incomplete: see its handlers, filters and convention", ex);
	}

	/** The time in which it is the current observation of a thread. */
	public interface Scope extends AutoCloseable {

		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
