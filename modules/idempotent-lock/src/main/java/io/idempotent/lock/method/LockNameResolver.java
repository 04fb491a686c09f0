package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.idempotent.support.Digest;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/**
 * Resolves the names of the locks of one annotated method: {@code name} alone, or
 * {@code name:value} for each key. Values may contain input of a client: only short plain
 * ones are used unchanged, others by their digest, which never equals a plain value.
 */
record LockNameResolver(String name, List<Part> parts, List<KeyExpression> keys) {

	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private static final Pattern VARIABLE = Pattern.compile("#\\p{javaJavaIdentifierStart}");

	static LockNameResolver constant(String name, List<KeyExpression> keys) {
		return new LockNameResolver(name, List.of(new Part(name, null)), keys);
	}

	static LockNameResolver parse(String name, List<KeyExpression> keys, Method method) {
		try {
			Expression whole = new SpelExpressionParser().parseExpression(name, ParserContext.TEMPLATE_EXPRESSION);
			List<Expression> expressions = (whole instanceof CompositeStringExpression several)
					? Arrays.asList(several.getExpressions()) : List.of(whole);
			return new LockNameResolver(name, expressions.stream().map((part) -> part(name, part, method)).toList(),
					keys);
		}
		catch (ParseException ex) {
			throw new IllegalArgumentException("its name \"" + name + "\" does not parse: " + ex.getMessage()
					+ "; write what varies from call to call as in \"order:#{#id}\"", ex);
		}
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

	Set<String> names(@Nullable Object[] arguments) {
		String resolved = resolveName(arguments);
		if (this.keys.isEmpty()) {
			return Set.of(resolved);
		}
		Set<String> names = new LinkedHashSet<>();
		for (KeyExpression key : this.keys) {
			Collection<?> values = values(key.evaluate(arguments));
			if (values.isEmpty()) {
				throw new IllegalArgumentException("A key of the lock '" + resolved
						+ "' yields no value, and without a lock the method is not run: let the key yield at least one");
			}
			values.forEach((value) -> names.add(resolved + ":" + text(resolved, "key", value)));
		}
		return names;
	}

	private String resolveName(@Nullable Object[] arguments) {
		if (this.parts.size() == 1 && this.parts.get(0).expression() == null) {
			return this.name;
		}
		return this.parts.stream()
			.map((part) -> (part.expression() != null)
					? text(this.name, part.text(), part.expression().evaluate(arguments)) : part.text())
			.collect(Collectors.joining());
	}

	private static Collection<?> values(@Nullable Object value) {
		if (value instanceof Collection<?> several) {
			return several;
		}
		return (value != null && value.getClass().isArray()) ? Arrays.asList(ObjectUtils.toObjectArray(value))
				: Arrays.asList(value);
	}

	private static String text(String lock, String source, @Nullable Object value) {
		if (value == null || !BeanUtils.isSimpleValueType(value.getClass())) {
			throw new IllegalArgumentException("The " + source + " of the lock '" + lock + "' yields "
					+ ((value != null) ? "a " + value.getClass().getName() : "null")
					+ ", which does not identify anything: let it yield a text, a number or another simple value");
		}
		String text = (value instanceof Enum<?> constant) ? constant.name() : value.toString();
		return PLAIN.matcher(text).matches() ? text : "#" + Digest.sha256().add(text).build().encoded();
	}

	/** A name of a call, with one letter for each value: valid if the literal text is. */
	String example() {
		return this.parts.stream()
			.map((part) -> (part.expression() != null) ? "x" : part.text())
			.collect(Collectors.joining());
	}

	/** The declared name up to the first colon of its literal text. */
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

	/** Literal text if the expression is null. */
	record Part(String text, @Nullable KeyExpression expression) {
	}

}
