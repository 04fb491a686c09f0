package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * The name in an annotation: a text with any number of SpEL templates, such as
 * {@code order:#{#id}}.
 *
 * @param text the name as it is declared
 * @param parts its parts, in their order
 */
record LockNameTemplate(String text, List<Part> parts) {

	/** Looks like a SpEL variable. */
	private static final Pattern VARIABLE = Pattern.compile("#\\p{javaJavaIdentifierStart}");

	/**
	 * Parses a name.
	 * @param text the name
	 * @param method the method whose parameters it may use
	 * @throws IllegalArgumentException if an expression cannot be parsed, or the rest of
	 * the text looks like one
	 */
	static LockNameTemplate parse(String text, Method method) {
		try {
			Expression whole = new SpelExpressionParser().parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
			List<Expression> expressions = (whole instanceof CompositeStringExpression several)
					? Arrays.asList(several.getExpressions()) : List.of(whole);
			return new LockNameTemplate(text, expressions.stream().map((part) -> part(text, part, method)).toList());
		}
		catch (ParseException ex) {
			throw new IllegalArgumentException("its name \"" + text + "\" does not parse: " + ex.getMessage()
					+ "; write what varies from call to call as in \"order:#{#id}\"", ex);
		}
	}

	/**
	 * A name that is the same for each call.
	 */
	static LockNameTemplate constant(String name) {
		return new LockNameTemplate(name, List.of(new Part(name, null)));
	}

	private static Part part(String name, Expression part, Method method) {
		String text = part.getExpressionString();
		if (!(part instanceof LiteralExpression)) {
			return new Part("#{" + text + "}", KeyExpression.parse("name", text, method));
		}
		if (VARIABLE.matcher(text).find()) {
			throw new IllegalArgumentException("its name \"" + name
					+ "\" looks like an expression, but outside of #{…} a name is taken literally, so that all calls "
					+ "would share one lock: write what varies from call to call as in \"order:#{#id}\", or leave the "
					+ "'#' out of the name");
		}
		return new Part(text, null);
	}

	/**
	 * The name for a call.
	 * @param arguments its arguments
	 * @throws IllegalArgumentException if a value is missing or not simple
	 */
	String resolve(@Nullable Object[] arguments) {
		if (this.parts.size() == 1 && this.parts.get(0).expression() == null) {
			return this.text;
		}
		return this.parts.stream()
			.map((part) -> (part.expression() != null)
					? LockNameValue.text(this.text, part.text(), part.expression().evaluate(arguments)) : part.text())
			.collect(Collectors.joining());
	}

	/**
	 * The name of a call whose values are one letter each.
	 * @return a name that is valid if the literal text is
	 */
	String example() {
		return this.parts.stream()
			.map((part) -> (part.expression() != null) ? "x" : part.text())
			.collect(Collectors.joining());
	}

	/**
	 * The name under which the lock may be configured: its group, if that does not vary.
	 * @return the declared name up to the first colon of its literal text
	 */
	String group() {
		StringBuilder group = new StringBuilder();
		for (Part part : this.parts) {
			int end = (part.expression() == null) ? part.text().indexOf(':') : -1;
			if (end >= 0) {
				return group.append(part.text(), 0, end).toString();
			}
			group.append(part.text());
		}
		return group.toString();
	}

	/**
	 * A part of a name.
	 *
	 * @param text the text as it is declared
	 * @param expression yields the value in its place, or {@code null}
	 */
	record Part(String text, @Nullable KeyExpression expression) {
	}

}
