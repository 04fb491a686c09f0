package io.idempotent.method;

import java.util.function.Consumer;
import java.util.function.Supplier;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.Claim;
import io.idempotent.engine.Decision;
import io.idempotent.engine.EffectStatus;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.OperationPolicy;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.OperationKey;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Executes a decision: runs the operation under its claim and its receipt, or rebuilds
 * the answer if the operation has taken effect already. The caller ends the claim,
 * whatever this throws.
 *
 * @param gate the state machine
 * @param policy how the operation is treated
 * @param key the operation key
 * @param rebuild rebuilds the result of an operation that took effect, or gives
 * {@code null}
 * @param withoutAnswer called with the claim if there is no result
 */
public record OperationExecution(IdempotencyGate gate, OperationPolicy policy, OperationKey key,
		Supplier<@Nullable RecoveredResult> rebuild, Consumer<Claim> withoutAnswer) {

	private static final Log logger = LogFactory.getLog(OperationExecution.class);

	/**
	 * Runs the operation. If an earlier run under the same decision has failed after its
	 * commit, which a retrying caller cannot know, the answer is rebuilt instead.
	 * @param <X> the type of exception it throws
	 * @param decision the decision of the gate: to run, or to recover
	 * @param work the operation
	 * @throws X what it throws
	 * @throws SubmissionRefusedException if it took effect in another attempt whose
	 * answer is not available
	 */
	public <X extends Throwable> @Nullable Object execute(Decision decision, ThrowingSupplier<@Nullable Object, X> work)
			throws X {
		if (decision instanceof Decision.Recover recover) {
			return rebuilt(recover.claim());
		}
		EffectStatus effect = decision.effect();
		return (effect != null && effect.isCommitted()) ? rebuilt(decision.claim()) : resume(decision, work);
	}

	/**
	 * Runs a further part of the operation, after an earlier part that may have
	 * committed.
	 * @param <X> the type of exception it throws
	 * @param decision the decision of the gate: to run
	 * @param work the part
	 * @throws X what it throws
	 * @throws SubmissionRefusedException as {@link #execute} does
	 */
	public <X extends Throwable> @Nullable Object resume(Decision decision, ThrowingSupplier<@Nullable Object, X> work)
			throws X {
		EffectStatus effect = decision.effect();
		try {
			Object result = this.gate.receipts().<@Nullable Object, X>execute(effect, work);
			if (effect == null || !effect.isDuplicate()) {
				return result;
			}
		}
		catch (Throwable ex) {
			// It may have met what another attempt has written, such as a unique key.
			if (effect == null || !this.gate.receipts().isDuplicate(effect)) {
				throw ex;
			}
			logger.debug("Operation '" + this.policy.operation() + "' (key " + this.key
					+ ") failed, but has taken effect in another attempt, whose answer it gets", ex);
		}
		// Its transaction was rolled back, whether or not the operation has handled that.
		return rebuilt(decision.claim());
	}

	private @Nullable Object rebuilt(@Nullable Claim claim) {
		RecoveredResult answer = this.rebuild.get();
		if (answer != null) {
			this.gate.listeners().replayed(this.policy, this.key);
			return answer.value();
		}
		if (claim != null) {
			this.withoutAnswer.accept(claim);
		}
		Refusal reason = this.policy.refusalOfDuplicate();
		this.gate.listeners().refused(this.policy, this.key, reason);
		throw this.policy.refuse(reason);
	}

}
