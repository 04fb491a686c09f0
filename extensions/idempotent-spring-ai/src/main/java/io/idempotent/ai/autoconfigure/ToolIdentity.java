package io.idempotent.ai.autoconfigure;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
		return ToolMethod.isTool(method) && Stream.of(method.getParameterTypes()).anyMatch(this.type::isAssignableFrom);
	}

	@Override
	public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
		T call = Arrays.stream(arguments).filter(this.type::isInstance).map(this.type::cast).findFirst().orElse(null);
		Map<String, Object> found = (call != null) ? this.metadata.apply(call) : null;
		if (call == null || found == null || !(found.get(KEY) instanceof String key) || !VALID.matcher(key).matches()) {
			return null;
		}
		Object content = content(ToolMethod.arguments(method, arguments), call);
		return new Identity(this.caller.scope(key, method), content, List.of());
	}

	private Object content(Map<String, Object> passed, T call) {
		Map<String, Object> read = this.request.apply(call);
		return (read != null) ? List.of(passed, read) : passed;
	}

	@Override
	public String description() {
		return "\"" + KEY + "\", a text of 1 to 255 visible ASCII characters, in the " + this.type.getSimpleName()
				+ " of the call";
	}

	/** Makes the keys of different callers differ. */
	@FunctionalInterface
	interface ToolCaller {

		ToolCaller UNKNOWN = (key, method) -> key;

		String scope(String key, Method method);

	}

}
