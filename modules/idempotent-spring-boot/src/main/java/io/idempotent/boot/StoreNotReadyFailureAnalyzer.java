package io.idempotent.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Analyzes a {@link StoreNotReadyException}. Comes before Spring Boot's analyzers of
 * failed connections, which do not know that the application could start without the
 * store.
 */
@Order(0)
class StoreNotReadyFailureAnalyzer extends AbstractFailureAnalyzer<StoreNotReadyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, StoreNotReadyException cause) {
		return new FailureAnalysis(cause.getMessage(), "Make the store reachable, or set "
				+ "idempotent.store.required-at-start=false, so that the application starts and refuses submissions "
				+ "until the store works", cause);
	}

}
