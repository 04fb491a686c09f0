package io.idempotent.observation;

import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.Decision;
import io.idempotent.engine.SubmissionObservation;
import io.idempotent.engine.SubmissionObserver;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.End;
import io.idempotent.engine.claim.Submission;
import io.idempotent.store.Origin;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Observes submissions by an {@link ObservationRegistry}. Exceptions of handlers and
 * conventions are logged and do not affect the submission.
 */
public final class MicrometerSubmissionObserver implements SubmissionObserver {

	private static final Log logger = LogFactory.getLog(MicrometerSubmissionObserver.class);

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
		return new ObservedSubmission(context, start(context), this.registry);
	}

	private Observation start(SubmissionObservationContext context) {
		try {
			return SubmissionObservationDocumentation.SUBMISSION
				.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.registry)
				.start();
		}
		catch (Throwable ex) {
			log(ex);
			return Observation.NOOP;
		}
	}

	private static void log(Throwable ex) {
		logger.warn("An ObservationHandler, ObservationFilter or convention failed: "
				+ "the submission goes on, but its observation is incomplete", ex);
	}

	private static final class ObservedSubmission implements SubmissionObservation {

		private final SubmissionObservationContext context;

		private final Observation observation;

		private final ObservationRegistry registry;

		private final AtomicBoolean ended = new AtomicBoolean();

		private volatile @Nullable Decision decision;

		private volatile @Nullable String outcome;

		private volatile @Nullable Throwable failure;

		ObservedSubmission(SubmissionObservationContext context, Observation observation,
				ObservationRegistry registry) {
			this.context = context;
			this.observation = observation;
			this.registry = registry;
		}

		@Override
		public Scope openScope() {
			Observation.Scope outer = this.registry.getCurrentObservationScope();
			try {
				Observation.Scope scope = this.observation.openScope();
				return () -> close(scope, outer);
			}
			catch (Throwable ex) {
				log(ex);
				this.registry.setCurrentObservationScope(outer);
				return Scope.NONE;
			}
		}

		private void close(Observation.Scope scope, Observation.@Nullable Scope outer) {
			try {
				scope.close();
			}
			catch (Throwable ex) {
				log(ex);
				this.registry.setCurrentObservationScope(outer);
			}
		}

		@Override
		public void decided(Submission submission, Decision taken) {
			this.decision = taken;
			this.context.setKey(submission.key().toString());
			this.context.setAttempt(taken.attempt());
			Origin origin = (taken instanceof Decision.Replay replay) ? replay.origin() : null;
			this.context.setRunTraceparent((origin != null) ? origin.traceparent() : null);
		}

		@Override
		public void endsAs(SubmissionOutcome other) {
			this.outcome = other.code();
		}

		@Override
		public void refused(Refusal reason) {
			this.outcome = reason.code();
		}

		@Override
		public void failed(@Nullable Throwable thrown) {
			if (thrown instanceof SubmissionRefusedException refused
					&& refused.operation().equals(this.context.getOperation())) {
				refused(refused.refusal());
			}
			else {
				this.failure = thrown;
			}
		}

		@Override
		public String end() {
			String known = this.outcome;
			String code = (known != null) ? known : implied(this.decision);
			if (this.ended.compareAndSet(false, true)) {
				this.context.setOutcome(code);
				stop();
			}
			return code;
		}

		private void stop() {
			try {
				Throwable thrown = this.failure;
				if (thrown != null) {
					this.observation.error(thrown);
				}
				this.observation.stop();
			}
			catch (Throwable ex) {
				log(ex);
			}
		}

		private static String implied(@Nullable Decision decision) {
			if (decision instanceof Decision.Refused refused) {
				return refused.reason().code();
			}
			if (decision instanceof Decision.Replay) {
				return SubmissionOutcome.REPLAYED.code();
			}
			if (decision instanceof Decision.RunUnprotected) {
				return SubmissionOutcome.UNPROTECTED.code();
			}
			Claim claim = (decision != null) ? decision.claim() : null;
			return ((claim != null) ? byEnd(claim, decision) : SubmissionOutcome.UNDECIDED).code();
		}

		private static SubmissionOutcome byEnd(Claim claim, @Nullable Decision decision) {
			if (claim.isTakenOver()) {
				return SubmissionOutcome.CLAIM_LOST;
			}
			End end = claim.ended();
			if (end != null && end.outcome() == null) {
				return (end == End.Unanswered.NO_EFFECT) ? SubmissionOutcome.RELEASED : SubmissionOutcome.LEFT_UNKNOWN;
			}
			if (end instanceof End.RecordedError) {
				return SubmissionOutcome.ERROR_RECORDED;
			}
			return (decision instanceof Decision.Run run && run.rerun()) ? SubmissionOutcome.RERUN
					: SubmissionOutcome.RUN;
		}

	}

}
