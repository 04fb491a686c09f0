package io.idempotent.engine;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.SubmissionObserver.Entrance;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Ending;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.function.ThrowingSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The life of one submission, whichever way it came: it is {@link #enter entered} and
 * {@link #decided decided}, its code {@link #run runs} or its result is rebuilt, and it
 * {@link #end ends} once. Several threads may use it, one after another.
 */
public final class Lifecycle {

	private static final Log logger = LogFactory.getLog(Lifecycle.class);

	private final IdempotencyGate gate;

	private final OperationPolicy policy;

	private final SubmissionContext context;

	private volatile SubmissionObservation observation = SubmissionObservation.NONE;

	private volatile @Nullable Decision decision;

	/** Code of the operation has begun, in any attempt of a caller that retries. */
	private volatile boolean begun;

	/** The latest attempt was refused before it began. */
	private volatile boolean refused;

	public Lifecycle(IdempotencyGate gate, OperationPolicy policy) {
		this.gate = gate;
		this.policy = policy;
		this.context = new SubmissionContext(policy.operation());
	}

	public OperationPolicy policy() {
		return this.policy;
	}

	public SubmissionContext context() {
		return this.context;
	}

	public SubmissionObservation observation() {
		return this.observation;
	}

	/** {@code null} before there is one. */
	public @Nullable Decision decision() {
		return this.decision;
	}

	public @Nullable Claim claim() {
		Decision taken = this.decision;
		return (taken != null) ? taken.claim() : null;
	}

	public EffectProof proof() {
		Decision taken = this.decision;
		return (taken != null) ? taken.proof() : EffectProof.NONE;
	}

	/** An exception ends the observation; the submission may be entered again. */
	public Decision enter(Entrance entrance, Submission submission) {
		return enter(entrance, () -> this.gate.enter(this.policy, submission));
	}

	/** Here the supplier decides instead of the gate. */
	public Decision enter(Entrance entrance, Supplier<Decision> decide) {
		this.observation = this.gate.observer().start(this.policy.operation(), entrance);
		try {
			Decision taken = decide.get();
			// Kept at once: if something throws before decided(), the claim still ends.
			this.decision = taken;
			return taken;
		}
		catch (Throwable ex) {
			this.observation.failed(ex);
			this.observation.end();
			throw ex;
		}
	}

	/** The decision is final: that of {@link #enter}, or what it was corrected to. */
	public void decided(Submission submission, Decision taken) {
		this.observation.decided(submission, taken);
		this.decision = taken;
		this.context.decided(submission, taken);
	}

	/**
	 * Runs the operation. If it took effect before the claim was granted, or an earlier
	 * run under the same claim failed after its commit, which a retrying caller cannot
	 * know, the answer is rebuilt instead. Refused if there is no answer.
	 */
	public <X extends Throwable> @Nullable Object run(Supplier<@Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		boolean tookEffect = this.decision instanceof Decision.Recover || proof().isCommitted();
		return tookEffect ? rebuilt(rebuild) : resume(rebuild, work);
	}

	/** Runs a further part, after an earlier part that may have committed. */
	public <X extends Throwable> @Nullable Object resume(Supplier<@Nullable RecoveredResult> rebuild,
			ThrowingSupplier<@Nullable Object, X> work) throws X {
		EffectProof proof = proof();
		try {
			requireClaim();
			Object result = proof.<@Nullable Object, X>execute(work);
			if (!proof.isDuplicate()) {
				return result;
			}
		}
		catch (Throwable ex) {
			// It may have met what another attempt has written, such as a unique key.
			if (!proof.findDuplicate()) {
				throw ex;
			}
			logger.debug("Operation '" + this.policy.operation() + "' (key " + this.context.submission().key()
					+ ") failed, but has taken effect in another attempt, whose answer it gets", ex);
		}
		// Its transaction was rolled back, whether or not the operation has handled that.
		return rebuilt(rebuild);
	}

	/** The store may have lost the record that shows whether the content is the same. */
	private @Nullable Object rebuilt(Supplier<@Nullable RecoveredResult> rebuild) {
		Submission submission = this.context.submission();
		if (this.gate.receipts().isReused(this.policy, submission.key(), submission.fingerprint())) {
			throw refused(submission, Refusal.KEY_REUSED);
		}
		RecoveredResult answer = rebuild.get();
		if (answer == null) {
			throw refused(submission, this.policy.refusalOfDuplicate());
		}
		this.gate.listeners().replayed(this.policy, submission.key());
		return answer.value();
	}

	private SubmissionRefusedException refused(Submission submission, Refusal reason) {
		this.gate.listeners().refused(this.policy, submission.key(), reason);
		return this.policy.refuse(reason);
	}

	/**
	 * The open transaction decides on the operation. Called again for each retry. Refused
	 * if the claim was lost meanwhile.
	 */
	public void bodyBegins() {
		requireClaim();
		this.begun = true;
		proof().bodyBegins();
	}

	private void requireClaim() {
		Refusal reason = this.context.refusal();
		this.refused = reason != null;
		if (reason != null) {
			logger.warn("Operation '" + this.policy.operation() + "' (key " + this.context.submission().key()
					+ ") does not begin: its lease has ended, and the store does not renew it");
			throw refused(this.context.submission(), reason);
		}
	}

	/**
	 * Ends the claim, if there is one, then calls {@code ended} with it, and then ends
	 * the observation.
	 */
	@SuppressWarnings("try") // the scope ends with the block
	public void end(Function<Claim, Ending> how, Consumer<Claim> ended) {
		Claim claim = claim();
		try (SubmissionObservation.Scope scope = this.observation.openScope()) {
			if (claim != null) {
				endClaim(claim, how);
				ended.accept(claim);
			}
		}
		finally {
			this.observation.end();
		}
	}

	/** A refusal to begin says nothing of what has begun before, if anything has. */
	private Ending corrected(Ending reported, Claim claim) {
		boolean stands = reported instanceof Ending.Completed || reported == Ending.Plain.STILL_RUNNING;
		if (!this.refused || stands || claim.tookEffect()) {
			return reported;
		}
		if (!this.begun) {
			return Ending.Plain.NOT_STARTED;
		}
		return (reported == Ending.Plain.NO_EFFECT || reported instanceof Ending.RecordedError) ? Ending.Plain.FAILED
				: reported;
	}

	private void endClaim(Claim claim, Function<Claim, Ending> how) {
		try {
			claim.rememberFor(this.context.retention(claim));
			Ending ending = corrected(how.apply(claim), claim);
			claim.end(ending);
			if (ending.hasAnswer()) {
				this.context.completed();
			}
		}
		finally {
			// Without effect after an end; otherwise the claim would be renewed for ever.
			claim.end(Ending.Plain.STILL_RUNNING);
		}
	}

}
