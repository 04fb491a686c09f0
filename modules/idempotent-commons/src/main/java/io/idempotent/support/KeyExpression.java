package io.idempotent.support;

import java.lang.reflect.Method;
import java.net.InetAddress;
import java.sql.Time;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeConverter;

/**
 * A SpEL expression over the arguments of one method, such as a key. Its text comes from
 * source code alone and is parsed once; it is evaluated read-only (no constructors,
 * types, beans or method calls), and arguments are passed as variables only.
 */
public final class KeyExpression {

	private final Expression expression;

	private final List<String> parameters;

	/** Shared by all evaluations, because it caches how properties are read. */
	private final PropertyAccessor properties = DataBindingPropertyAccessor.forReadOnlyAccess();

	private final TypeConverter converter = new StandardTypeConverter();

	private final AtomicBoolean warned = new AtomicBoolean();

	private KeyExpression(Expression expression, List<String> parameters) {
		this.expression = expression;
		this.parameters = parameters;
	}

	/** Each parameter is a variable. Throws if the expression can never have a value. */
	public static KeyExpression parse(String text, Method method) {
		return parse("key", text, method);
	}

	private static KeyExpression parse(String purpose, String text, Method method) {
		List<String> parameters = parameterNames(purpose, method);
		String name = "The " + purpose + " expression \"" + text + "\"";
		try {
			SpelExpression expression = new SpelExpressionParser().parseRaw(text);
			requireKnown(name, variables(expression.getAST(), new LinkedHashSet<>()), parameters);
			KeyGrammar.requireReadable(purpose, name, expression.getAST());
			return new KeyExpression(expression, parameters);
		}
		catch (ParseException ex) {
			throw new IllegalArgumentException(name + " does not parse: " + ex.getMessage(), ex);
		}
	}

	/**
	 * {@code null} for an empty text. The purpose, such as "condition", is for messages.
	 */
	public static @Nullable KeyExpression parseOptional(String purpose, String text, Method method) {
		return text.isEmpty() ? null : parse(purpose, text, method);
	}

	/** Throws if the condition yields neither true nor false. */
	public boolean decide(String subject, @Nullable Object[] arguments) {
		Object value = evaluate(arguments);
		if (value instanceof Boolean decision) {
			return decision;
		}
		throw new IllegalArgumentException("The condition of the " + subject + " yields "
				+ ((value != null) ? "a " + value.getClass().getName() : "null")
				+ ", and without a decision the method is not run: let it yield true or false");
	}

	/**
	 * The text of a simple value: the same in every JVM, whatever its time zone, and
	 * another one for another value.
	 */
	public static String textOf(Object value) {
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof TimeZone zone) {
			return zone.getID();
		}
		if (value instanceof InetAddress address) {
			return address.getHostAddress();
		}
		boolean instant = value instanceof Date && !(value instanceof java.sql.Date || value instanceof Time);
		return (instant ? ((Date) value).toInstant() : value).toString();
	}

	public String text() {
		return this.expression.getExpressionString();
	}

	/** Throws if there is no such value, as when a property of {@code null} is read. */
	public @Nullable Object evaluate(@Nullable Object[] arguments) {
		SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(this.properties)
			.withTypeConverter(this.converter)
			.withAssignmentDisabled()
			.build();
		// A suspend function's last argument, the continuation, has no name.
		for (int i = 0; i < this.parameters.size(); i++) {
			context.setVariable(this.parameters.get(i), arguments[i]);
		}
		return this.expression.getValue(context);
	}

	/**
	 * Logs that a call has no key: the first time as a warning, then at DEBUG. Arguments
	 * are not logged, because they may come from a client.
	 */
	public void logFailure(Log logger, String operation, EvaluationException failure) {
		boolean first = this.warned.compareAndSet(false, true);
		if (!first && !logger.isDebugEnabled()) {
			return;
		}
		String message = "The key expression \"" + this.expression.getExpressionString() + "\" of operation '"
				+ operation + "' has no value for a call, which is refused: " + reason(failure);
		if (first) {
			logger.warn(message + ". Further calls are logged at DEBUG");
		}
		else {
			logger.debug(message);
		}
	}

	/** The exception's own message could contain data of the client. */
	private static String reason(EvaluationException failure) {
		String reason = (failure instanceof SpelEvaluationException spel)
				? spel.getMessageCode().name().toLowerCase(Locale.ROOT).replace('_', ' ')
				: failure.getClass().getSimpleName();
		Throwable cause = failure.getCause();
		return reason + " at position " + failure.getPosition()
				+ ((cause != null) ? " (" + cause.getClass().getName() + ")" : "");
	}

	private static List<String> parameterNames(String purpose, Method method) {
		@Nullable String @Nullable [] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
		if (names == null || Arrays.stream(names).anyMatch((name) -> name == null)) {
			throw new IllegalArgumentException("The parameter names of " + method + " are not known, and its " + purpose
					+ " expression needs them: compile with -parameters");
		}
		return List.of(names);
	}

	private static Set<String> variables(SpelNode node, Set<String> found) {
		if (node instanceof VariableReference) {
			found.add(node.toStringAST().substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			variables(node.getChild(i), found);
		}
		return found;
	}

	private static void requireKnown(String name, Set<String> variables, List<String> parameters) {
		for (String variable : variables) {
			if (!parameters.contains(variable) && !variable.equals("this") && !variable.equals("root")) {
				throw new IllegalArgumentException(
						name + " names #" + variable + ", but the parameters of the method are " + parameters
								+ ": a class names them, not the interface that it implements");
			}
		}
	}

}
