package io.idempotent.support;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

/**
 * The condition under which an annotation applies to a call: an expression over its
 * arguments.
 *
 * @param expression the expression
 * @param subject what the condition belongs to, such as {@code "operation 'order'"}, for
 * the message
 */
public record CallCondition(KeyExpression expression, String subject) {

	/**
	 * Parses a condition.
	 * @param text the expression, or an empty text
	 * @param method the method
	 * @param subject what the condition belongs to
	 * @return the condition, or {@code null} if there is none
	 * @throws IllegalArgumentException if the expression cannot work
	 */
	public static @Nullable CallCondition parse(String text, Method method, String subject) {
		return text.isEmpty() ? null : new CallCondition(KeyExpression.parse("condition", text, method), subject);
	}

	/**
	 * Whether the annotation applies to a call.
	 * @param arguments its arguments
	 * @return what the expression yields
	 * @throws IllegalArgumentException if that is neither true nor false
	 * @throws EvaluationException if the expression has no value for these arguments
	 */
	public boolean appliesTo(@Nullable Object[] arguments) {
		Object value = this.expression.evaluate(arguments);
		if (value instanceof Boolean applies) {
			return applies;
		}
		throw new IllegalArgumentException("The condition of the " + this.subject + " yields "
				+ ((value != null) ? "a " + value.getClass().getName() : "null")
				+ ", and without a decision the method is not run: let it yield true or false");
	}

}
