package io.idempotent.webmvc.internal.key;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.OperationKey;
import io.idempotent.support.KeyExpression;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;
import org.springframework.util.ObjectUtils;

/** The key that an expression computes from the arguments of a handler method. */
public final class ExpressionKey {

	private static final Log logger = LogFactory.getLog(ExpressionKey.class);

	/** What {@link Object#toString()} makes of an array, and of an object of a class. */
	private static final Pattern IDENTITY = Pattern
		.compile("(?:\\[(?:[BCDFIJSZ]|L[\\w.$]{1,200};)|(?<=[.$][A-Z][\\w$]{0,99}))@[0-9a-f]{1,8}(?![\\w.-])");

	private ExpressionKey() {
	}

	/** Refuses a value that is empty or cannot be computed. */
	public static String of(KeyExpression expression, @Nullable Object[] arguments, String operation) {
		try {
			String key = text(expression.evaluate(arguments));
			if (!key.isEmpty()) {
				return key;
			}
		}
		catch (EvaluationException ex) {
			expression.logFailure(logger, operation, ex);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException("The key expression \"" + expression.text() + "\" of operation '"
					+ operation + "' has a value that identifies nothing: " + ex.getMessage(), ex);
		}
		throw new SubmissionRefusedException(Refusal.KEY_MISSING, operation);
	}

	/**
	 * Equal values have equal texts in every JVM, different values have different texts.
	 * Collections, arrays and maps count by their elements, a date as an instant,
	 * anything else by {@code toString()}, which its type and those of its parts define.
	 */
	public static String text(@Nullable Object value) {
		if (value == null) {
			return "";
		}
		if (value instanceof Optional<?> optional) {
			return text(optional.orElse(null));
		}
		if (value instanceof Map<?, ?> map) {
			return OperationKey.text(map.entrySet()
				.stream()
				.map((entry) -> text(List.of(text(entry.getKey()), text(entry.getValue()))))
				.sorted()
				.toList());
		}
		if (value instanceof Collection<?> collection) {
			Stream<String> elements = collection.stream().map(ExpressionKey::text);
			return OperationKey.text(((collection instanceof Set) ? elements.sorted() : elements).toList());
		}
		if (value.getClass().isArray()) {
			return text(Arrays.asList(ObjectUtils.toObjectArray(value)));
		}
		return checked(value);
	}

	private static String checked(Object value) {
		String text = KeyExpression.textOf(value);
		if (!(value instanceof CharSequence) && IDENTITY.matcher(text).find()) {
			throw new IllegalArgumentException("the type " + value.getClass().getName()
					+ ", or a part of it, has no toString() of its own, so that each object is another key. Name what identifies the "
					+ "operation, such as \"#order.number\" or \"{#order.number, #order.version}\"");
		}
		return text;
	}

}
