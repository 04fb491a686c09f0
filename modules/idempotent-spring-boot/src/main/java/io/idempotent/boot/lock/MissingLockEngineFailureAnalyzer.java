package io.idempotent.boot.lock;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes a {@link MissingLockEngineException}.
 */
class MissingLockEngineFailureAnalyzer extends AbstractFailureAnalyzer<MissingLockEngineException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingLockEngineException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
