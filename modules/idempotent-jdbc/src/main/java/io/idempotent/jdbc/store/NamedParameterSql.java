package io.idempotent.jdbc.store;

import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** A statement for JDBC, and the names of its parameters in their order. */
record NamedParameterSql(String text, List<String> names) {

	private static final Pattern PARAMETER = Pattern.compile(":(\\w+)");

	static NamedParameterSql of(String named) {
		return new NamedParameterSql(PARAMETER.matcher(named).replaceAll("?"),
				PARAMETER.matcher(named).results().map((parameter) -> parameter.group(1)).toList());
	}

	/** Throws if a parameter has no value. */
	@Nullable Object[] arguments(SqlParameterSource values) {
		@Nullable Object[] arguments = new @Nullable Object[this.names.size()];
		for (int i = 0; i < arguments.length; i++) {
			arguments[i] = values.getValue(this.names.get(i));
		}
		return arguments;
	}

}
