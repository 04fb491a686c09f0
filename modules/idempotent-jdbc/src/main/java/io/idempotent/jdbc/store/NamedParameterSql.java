package io.idempotent.jdbc.store;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** A statement for JDBC, and its parameters by name. */
record NamedParameterSql(String text, ParsedSql parsed) {

	static NamedParameterSql of(String named) {
		ParsedSql parsed = NamedParameterUtils.parseSqlStatement(named);
		return new NamedParameterSql(NamedParameterUtils.substituteNamedParameters(parsed, null), parsed);
	}

	/** Throws if a parameter has no value. */
	@Nullable Object[] arguments(SqlParameterSource values) {
		return NamedParameterUtils.buildValueArray(this.parsed, values, null);
	}

}
