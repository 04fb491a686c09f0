package io.idempotent.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;

import io.idempotent.SubmissionRefusedException;
import io.idempotent.method.MessageIdentity.Identity;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperation;
import io.idempotent.submission.claim.Submission;
import io.idempotent.support.KeyExpression;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

/** Where the key of a method comes from. */
sealed interface MethodKey {

	/** Refused if the call has no key. */
	Submission submission(CallOperation operation, @Nullable Object[] arguments, CallExecutor calls);

	/** The expression, as operators see it, or {@code null} without one. */
	default @Nullable String text() {
		return null;
	}

	/** Whether it belongs to the caller who sent it. */
	default boolean isOfCaller() {
		return false;
	}

	record OfExpression(KeyExpression expression) implements MethodKey {

		private static final Log logger = LogFactory.getLog(MethodKey.class);

		@Override
		public Submission submission(CallOperation operation, @Nullable Object[] arguments, CallExecutor calls) {
			return calls.submission(operation, value(operation.name(), arguments),
					"a value of the key expression \"" + this.expression.text() + "\"");
		}

		private @Nullable Object value(String operation, @Nullable Object[] arguments) {
			try {
				return this.expression.evaluate(arguments);
			}
			catch (EvaluationException ex) {
				this.expression.logFailure(logger, operation, ex);
				return null;
			}
		}

		@Override
		public String text() {
			return this.expression.text();
		}

	}

	/** The identities that support the method, in the order in which they are asked. */
	record OfMessage(Method method, List<MessageIdentity> identities) implements MethodKey {

		@Override
		public Submission submission(CallOperation operation, @Nullable Object[] arguments, CallExecutor calls) {
			for (MessageIdentity identity : this.identities) {
				Identity found = identify(identity, operation.name(), arguments, calls);
				if (found != null) {
					Submission submission = identity.isOfCaller() ? calls.sent(operation, found.caller(), found.key())
							: calls.submission(operation, found.key(), identity.description());
					return (found.content() != null) ? calls.comparing(submission, found.content()) : submission;
				}
			}
			return calls.submission(operation, null,
					this.identities.stream().map(MessageIdentity::description).collect(Collectors.joining("; ")));
		}

		private @Nullable Identity identify(MessageIdentity identity, String operation, @Nullable Object[] arguments,
				CallExecutor calls) {
			try {
				return identity.identify(operation, this.method, arguments);
			}
			catch (SubmissionRefusedException ex) {
				throw calls.withoutKey(ex);
			}
		}

		@Override
		public boolean isOfCaller() {
			return this.identities.stream().allMatch(MessageIdentity::isOfCaller);
		}

	}

}
