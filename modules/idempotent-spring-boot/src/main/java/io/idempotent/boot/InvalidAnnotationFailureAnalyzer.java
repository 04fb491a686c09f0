package io.idempotent.boot;

import io.idempotent.support.InvalidAnnotationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Analyzes an {@link InvalidAnnotationException}. Comes before Spring Boot's analyzer of
 * failed bindings, which does not know the annotation.
 */
@Order(0)
class InvalidAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAnnotationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidAnnotationException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
