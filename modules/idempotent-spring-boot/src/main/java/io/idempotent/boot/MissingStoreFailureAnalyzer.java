package io.idempotent.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes a {@link MissingStoreException}.
 */
class MissingStoreFailureAnalyzer extends AbstractFailureAnalyzer<MissingStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingStoreException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action()
				+ ", define an IdempotencyStore bean, or, for a single node that may lose its records when it stops, set "
				+ "idempotent.store.type=local", cause);
	}

}
