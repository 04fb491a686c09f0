package io.idempotent.jdbc.store;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;

/** A statement for JDBC with the positions of named parameters, which may repeat. */
record NamedParameterSql(String text, ParsedSql parsed) {

	static NamedParameterSql of(String named) {
		ParsedSql parsed = NamedParameterUtils.parseSqlStatement(named);
		return new NamedParameterSql(NamedParameterUtils.substituteNamedParameters(parsed, null), parsed);
	}

	@Nullable Object[] arguments(Map<String, ?> values) {
		return NamedParameterUtils.buildValueArray(this.parsed, new MapSqlParameterSource(values), null);
	}

}
