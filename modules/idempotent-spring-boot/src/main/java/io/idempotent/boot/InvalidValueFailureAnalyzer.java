package io.idempotent.boot;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Lists the values of an enum property under {@code idempotent} whose text is invalid.
 * Comes before Spring Boot's analyzer of failed bindings, which would list every constant
 * of the enum, including {@code DEFAULT}.
 */
@Order(1)
class InvalidValueFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName IDEMPOTENT = ConfigurationPropertyName.of("idempotent");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		if (property == null || !type.isEnum() || !IDEMPOTENT.isAncestorOf(cause.getName())) {
			return null;
		}
		InvalidValue invalid = InvalidValue.ofEnum(type);
		return new FailureAnalysis(cause.getName() + " is '" + property.getValue() + "', but " + invalid.reason()
				+ " (set by " + property.getOrigin() + ")", invalid.action(), cause);
	}

}
