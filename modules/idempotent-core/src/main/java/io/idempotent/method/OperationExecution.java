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
import org.jspecify.annotations.Nullable;

/**
 * One run of an operation, once it has been decided: under its claim and its receipt, or,
 * where the effect turns out to be there already, by rebuilding its answer. Whatever it
 * throws, the caller ends the claim.
 *
 * @param gate the state machine
 * @param policy how the operation is treated
 * @param key which operation
 * @param rebuild gives the result of an operation that took effect, or {@code null}
 * @param unanswered what is done with the claim where it gives none
 */
public record OperationExecution(IdempotencyGate gate, OperationPolicy policy, OperationKey key,
		Supplier<@Nullable RecoveredResult> rebuild, Consumer<Claim> unanswered) {

	/**
	 * Runs it, unless an earlier try under the same decision has failed after its commit:
	 * whoever retries does not know.
	 * @param <X> the type of exception it throws
	 * @param decision what the gate decided: to run, or to recover
	 * @param work the operation
	 * @return its result
	 * @throws X what it throws
	 * @throws SubmissionRefusedException if it took effect in another attempt whose
	 * answer is not to be had
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
	 * Runs a part of it, maybe after another that has committed something.
	 * @param <X> the type of exception it throws
	 * @param decision what the gate decided: to run
	 * @param work the part
	 * @return its result
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
			if (effect == null || !effect.isDuplicate()) {
				throw ex;
			}
		}
		// What it had to commit was rolled back, whatever it made of that.
		return rebuilt(decision.claim());
	}

	private @Nullable Object rebuilt(@Nullable Claim claim) {
		RecoveredResult answer = this.rebuild.get();
		if (answer != null) {
			this.gate.listeners().replayed(this.policy, this.key);
			return answer.value();
		}
		if (claim != null) {
			this.unanswered.accept(claim);
		}
		Refusal reason = this.policy.refusalOfDuplicate();
		this.gate.listeners().refused(this.policy, this.key, reason);
		throw new SubmissionRefusedException(reason, this.policy.operation());
	}

}
