package io.idempotent.jdbc.store;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;

/**
 * A statement whose parameters have names, because some of them occur many times.
 *
 * @param text the statement as JDBC takes it
 * @param parsed knows where which parameter stands
 */
record NamedParameterSql(String text, ParsedSql parsed) {

	static NamedParameterSql of(String named) {
		ParsedSql parsed = NamedParameterUtils.parseSqlStatement(named);
		return new NamedParameterSql(NamedParameterUtils.substituteNamedParameters(parsed, null), parsed);
	}

	@Nullable Object[] arguments(Map<String, ?> values) {
		return NamedParameterUtils.buildValueArray(this.parsed, new MapSqlParameterSource(values), null);
	}

}
