package io.idempotent.engine;

import java.util.Objects;

import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.UnknownOperation;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.policy.OperationPolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Asks the application, if it has an {@link OutcomeVerifier}, about unknown outcomes. */
record AskedApplication(@Nullable OutcomeVerifier verifier) {

	private static final Log logger = LogFactory.getLog(IdempotencyGate.class);

	Verdict ask(OperationPolicy policy, Submission submission, Claim claim) {
		if (this.verifier == null) {
			return Verdict.CANNOT_TELL;
		}
		try {
			return Objects.requireNonNull(this.verifier
				.verify(new UnknownOperation(policy.operation(), submission.keyValue(), claim.attempt())));
		}
		catch (Throwable ex) {
			// Errors too, and checked exceptions of Kotlin: the claim must end.
			logger.error("The OutcomeVerifier failed: it is unknown whether operation '" + policy.operation()
					+ "' (key " + claim.key() + ") took effect", ex);
			return Verdict.CANNOT_TELL;
		}
	}

}
