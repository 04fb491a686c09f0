package io.idempotent.boot.message;

import java.lang.reflect.Method;
import java.util.function.Function;

import io.idempotent.method.MessageIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The identity of an argument that is a message.
 *
 * @param type the type of the argument
 * @param reader reads the identity, or {@code null} if there is none
 * @param description what is looked for
 * @param <T> the type of the argument
 */
record ArgumentIdentity<T>(Class<T> type, Function<T, @Nullable String> reader,
		String description) implements MessageIdentity {

	@Override
	public boolean supports(Method method) {
		return indexIn(method) >= 0;
	}

	@Override
	public @Nullable String identify(Method method, @Nullable Object[] arguments) {
		Object argument = arguments[indexIn(method)];
		return (argument != null) ? this.reader.apply(this.type.cast(argument)) : null;
	}

	private int indexIn(Method method) {
		Class<?>[] types = method.getParameterTypes();
		for (int i = 0; i < types.length; i++) {
			if (this.type.isAssignableFrom(types[i])) {
				return i;
			}
		}
		return -1;
	}

}
