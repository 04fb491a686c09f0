package io.idempotent.ai.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.idempotent.method.MessageIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The key that a client has put into the metadata of a tool call. The arguments of the
 * tool are compared; the rest of the request, such as its id, differs in each retry.
 *
 * @param type the parameter with the metadata
 * @param metadata reads the metadata
 * @param request reads the arguments of a request that the tool reads itself
 * @param caller whose key it is
 */
record ToolIdentity<T>(Class<T> type, Function<T, @Nullable Map<String, Object>> metadata,
		Function<T, @Nullable Map<String, Object>> request, ToolCaller caller) implements MessageIdentity {

	static final String KEY = "io.idempotent/key";

	/** Without spaces, which separate it from the caller. */
	private static final Pattern VALID = Pattern.compile("[\\x21-\\x7e]{1,255}");

	@Override
	public boolean supports(Method method) {
		return ToolMethod.isTool(method) && indexIn(method) >= 0;
	}

	@Override
	public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
		Object argument = arguments[indexIn(method)];
		Map<String, Object> found = (argument != null) ? this.metadata.apply(this.type.cast(argument)) : null;
		return (found != null && found.get(KEY) instanceof String key && VALID.matcher(key).matches())
				? new Identity(this.caller.scope(key, method), content(method, arguments), List.of()) : null;
	}

	private Object content(Method method, @Nullable Object[] arguments) {
		Map<String, Object> passed = ToolMethod.arguments(method, arguments);
		Map<String, Object> read = this.request.apply(this.type.cast(arguments[indexIn(method)]));
		return (read != null) ? List.of(passed, read) : passed;
	}

	@Override
	public String description() {
		return "\"" + KEY + "\", a text of 1 to 255 visible ASCII characters, in the " + this.type.getSimpleName()
				+ " of the call";
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

	/** Makes the keys of different callers differ. */
	@FunctionalInterface
	interface ToolCaller {

		ToolCaller UNKNOWN = (key, method) -> key;

		String scope(String key, Method method);

	}

}
