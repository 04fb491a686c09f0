package io.idempotent.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;

import io.idempotent.support.KeyExpression;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

/** Where the key of a method comes from. */
sealed interface MethodKey {

	Found find(String operation, @Nullable Object[] arguments);

	/** The expression, as operators see it, or {@code null} without one. */
	@Nullable String text();

	/** For the refusal of a call without a key. */
	String lookedFor();

	record OfExpression(KeyExpression expression) implements MethodKey {

		private static final Log logger = LogFactory.getLog(MethodKey.class);

		@Override
		public Found find(String operation, @Nullable Object[] arguments) {
			try {
				return new Found(this.expression.evaluate(arguments), null);
			}
			catch (EvaluationException ex) {
				this.expression.logFailure(logger, operation, ex);
				return Found.NOTHING;
			}
		}

		@Override
		public String text() {
			return this.expression.text();
		}

		@Override
		public String lookedFor() {
			return "a value of the key expression \"" + this.expression.text() + "\"";
		}

	}

	/** The identities that support the method, in the order in which they are asked. */
	record OfMessage(Method method, List<MessageIdentity> identities) implements MethodKey {

		@Override
		public Found find(String operation, @Nullable Object[] arguments) {
			for (MessageIdentity identity : this.identities) {
				String key = identity.identify(this.method, arguments);
				if (key != null) {
					return new Found(key, identity.content(this.method, arguments));
				}
			}
			return Found.NOTHING;
		}

		@Override
		public @Nullable String text() {
			return null;
		}

		@Override
		public String lookedFor() {
			return this.identities.stream().map(MessageIdentity::description).collect(Collectors.joining("; "));
		}

	}

	/**
	 * The key is {@code null} if the call has none; what is compared is {@code null} if
	 * the key is all.
	 */
	record Found(@Nullable Object key, @Nullable Object compared) {

		private static final Found NOTHING = new Found(null, null);

	}

}
