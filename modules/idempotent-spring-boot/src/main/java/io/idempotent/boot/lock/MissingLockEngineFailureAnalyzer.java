package io.idempotent.boot.lock;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says which lock engine is missing and how to get it.
 */
class MissingLockEngineFailureAnalyzer extends AbstractFailureAnalyzer<MissingLockEngineException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingLockEngineException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
