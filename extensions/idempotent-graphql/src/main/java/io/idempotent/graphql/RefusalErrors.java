package io.idempotent.graphql;

import java.util.Locale;
import java.util.Map;

import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.support.ApplicationMessages;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.refusal.MessageBundle;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.graphql.execution.DataFetcherExceptionResolverAdapter;
import org.springframework.graphql.execution.ErrorType;

/**
 * Makes a refusal an error of its field, with the texts of the HTTP responses. It runs
 * before the application's resolvers, one of which may hide any exception.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RefusalErrors extends DataFetcherExceptionResolverAdapter {

	private final HttpSettings settings;

	private final RefusalWriter refusals;

	private final ApplicationMessages messages;

	private final MessageSource defaults = new MessageBundle("io.idempotent.webmvc.problems");

	RefusalErrors(HttpSettings settings, RefusalWriter refusals, MessageSource messages) {
		this.settings = settings;
		this.refusals = refusals;
		this.messages = new ApplicationMessages(messages);
	}

	@Override
	protected @Nullable GraphQLError resolveToSingleError(Throwable exception, DataFetchingEnvironment environment) {
		if (!(exception instanceof SubmissionRefusedException refused)) {
			return null;
		}
		String own = this.refusals.message(refused, environment.getLocale());
		return GraphqlErrorBuilder.newError(environment)
			.errorType(type(refused.refusal()))
			.message("%s", (own != null) ? own : text(refused.refusal(), environment.getLocale()))
			.extensions(Map.of("code", refused.refusal().code()))
			.build();
	}

	private ErrorType type(Refusal refusal) {
		int status = this.settings.status(refusal);
		if (status >= 500) {
			return ErrorType.INTERNAL_ERROR;
		}
		return (status == 403) ? ErrorType.FORBIDDEN : ErrorType.BAD_REQUEST;
	}

	private String text(Refusal refusal, Locale locale) {
		String part = switch (refusal) {
			case KEY_MISSING -> ".content";
			case KEY_MALFORMED -> ".title";
			default -> ".detail";
		};
		String code = "idempotent.problem." + refusal.code() + part;
		String own = this.messages.find(code, locale);
		return (own != null) ? own : this.defaults.getMessage(code, null, locale);
	}

}
