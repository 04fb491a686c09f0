package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.support.Digest;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.util.ObjectUtils;

/**
 * A {@link io.idempotent.lock.DistributedLocked} annotation, with all texts parsed, and
 * without the settings of its locks. A condition or handler that is not set is
 * {@code null}.
 *
 * <p>
 * Its locks are named {@code name} alone, or {@code name:value} for each key. Values may
 * contain input of a client: only short plain ones are used unchanged, others by their
 * digest, which never equals a plain value.
 */
record LockedMethod(Method method, String name, List<KeyExpression> keys, @Nullable KeyExpression condition,
		LockOptions options, Duration waitTime, boolean fenced, WhenNotObtained onNotObtained,
		@Nullable Supplier<? extends LockNotObtainedHandler> handler) {

	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private static final Pattern EXPRESSION = Pattern.compile("#[{\\p{javaJavaIdentifierStart}]");

	LockedMethod {
		if (EXPRESSION.matcher(name).find()) {
			throw new IllegalArgumentException("its name \"" + name
					+ "\" looks like an expression, but a name is taken literally, so that all calls would share one "
					+ "lock: give what varies from call to call as the key, as in name = \"order\", key = \"#id\", or "
					+ "leave the '#' out of the name");
		}
	}

	boolean appliesTo(@Nullable Object[] arguments) {
		return this.condition == null || this.condition.decide("lock '" + this.name + "'", arguments);
	}

	boolean skips() {
		return this.handler == null && this.onNotObtained == WhenNotObtained.SKIP;
	}

	Set<String> names(@Nullable Object[] arguments) {
		if (this.keys.isEmpty()) {
			return Set.of(this.name);
		}
		Set<String> names = new LinkedHashSet<>();
		for (KeyExpression key : this.keys) {
			Collection<?> values = values(key.evaluate(arguments));
			if (values.isEmpty()) {
				throw new IllegalArgumentException("A key of the lock '" + this.name
						+ "' yields no value, and without a lock the method is not run: let the key yield at least one");
			}
			values.forEach((value) -> names.add(this.name + ":" + text(value)));
		}
		return names;
	}

	private static Collection<?> values(@Nullable Object value) {
		if (value instanceof Collection<?> several) {
			return several;
		}
		return (value != null && value.getClass().isArray()) ? Arrays.asList(ObjectUtils.toObjectArray(value))
				: Arrays.asList(value);
	}

	private String text(@Nullable Object value) {
		if (value == null || !BeanUtils.isSimpleValueType(value.getClass())) {
			throw new IllegalArgumentException("The key of the lock '" + this.name + "' yields "
					+ ((value != null) ? "a " + value.getClass().getName() : "null")
					+ ", which does not identify anything: let it yield a text, a number or another simple value");
		}
		String text = KeyExpression.textOf(value);
		return PLAIN.matcher(text).matches() ? text : "#" + Digest.sha256().add(text).build().encoded();
	}

}
