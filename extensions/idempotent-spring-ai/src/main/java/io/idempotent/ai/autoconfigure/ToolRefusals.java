package io.idempotent.ai.autoconfigure;

import java.io.Serial;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.support.ApplicationMessages;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.context.i18n.LocaleContextHolder;

/**
 * Says in a refusal what the model can do. Spring AI passes the message of an exception
 * to the model as the error of the tool.
 */
record ToolRefusals(ApplicationMessages messages) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		try {
			return invocation.proceed();
		}
		catch (RefusedToolCallException ex) {
			throw ex;
		}
		catch (SubmissionRefusedException ex) {
			throw new RefusedToolCallException(ex, advice(ex.refusal()), userMessage(ex.userMessage()));
		}
	}

	private static String advice(Refusal refusal) {
		return switch (refusal) {
			case IN_PROGRESS -> "This call is running already. To get its result, call the tool again in some "
					+ "seconds, with the same key and arguments.";
			case DUPLICATE, RESPONSE_UNAVAILABLE ->
				"This has been done already by an earlier call, whose result is not "
						+ "available. Do not do it again.";
			case OUTCOME_UNKNOWN -> "An earlier call was interrupted, and it is not known whether it took effect. Find "
					+ "out before you do it in another way.";
			case KEY_REUSED ->
				"Nothing was done: the key of this call was used with other arguments. Another operation "
						+ "needs a new key.";
			case KEY_MISSING -> "Nothing was done: the call has no key. Other arguments do not help, unless the key is "
					+ "one of them; the client has to send \"" + ToolIdentity.KEY + "\".";
			case STORE_UNAVAILABLE ->
				"Nothing was done: a service that is needed cannot be reached. Call the tool again "
						+ "later, with the same key and arguments.";
			case CALLER_UNNAMED -> "Nothing was done: the caller is not known.";
			default -> "Nothing was done now, and the result of an earlier call is not available.";
		};
	}

	/** A text, or the code of a message in braces. */
	private @Nullable String userMessage(@Nullable String message) {
		String code = (message != null) ? ApplicationMessages.code(message) : null;
		return (code != null) ? this.messages.find(code, LocaleContextHolder.getLocale()) : message;
	}

	private static final class RefusedToolCallException extends SubmissionRefusedException {

		@Serial
		private static final long serialVersionUID = 1L;

		private final String message;

		RefusedToolCallException(SubmissionRefusedException refused, String advice, @Nullable String userMessage) {
			super(refused.refusal(), refused.operation(), refused.userMessage());
			this.message = (userMessage != null) ? userMessage + " " + advice : advice;
			initCause(refused);
		}

		@Override
		public String getMessage() {
			return this.message;
		}

	}

}
