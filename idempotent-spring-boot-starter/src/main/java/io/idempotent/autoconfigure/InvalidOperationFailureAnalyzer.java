package io.idempotent.autoconfigure;

import io.idempotent.web.InvalidOperationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says which annotation cannot work and what to do.
 */
class InvalidOperationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidOperationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidOperationException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
