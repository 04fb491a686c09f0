package io.idempotent.jdbc.store;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** A statement for JDBC with the names of its parameters in order, which may repeat. */
record NamedParameterSql(String text, List<String> names) {

	/** Begins with a letter, unlike what follows the colon in a time. */
	private static final Pattern PARAMETER = Pattern.compile(":([a-zA-Z]\\w*)");

	static NamedParameterSql of(String named) {
		List<String> names = PARAMETER.matcher(named).results().map((found) -> found.group(1)).toList();
		return new NamedParameterSql(PARAMETER.matcher(named).replaceAll("?"), names);
	}

	@Nullable Object[] arguments(Map<String, ?> values) {
		@Nullable Object[] arguments = new @Nullable Object[this.names.size()];
		for (int i = 0; i < arguments.length; i++) {
			String name = this.names.get(i);
			arguments[i] = values.get(name);
			if (arguments[i] == null && !values.containsKey(name)) {
				throw new IllegalArgumentException("The parameter '" + name + "' has no value");
			}
		}
		return arguments;
	}

}
