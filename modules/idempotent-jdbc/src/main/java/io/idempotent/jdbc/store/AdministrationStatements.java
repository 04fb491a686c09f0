package io.idempotent.jdbc.store;

import java.util.function.Function;

import io.idempotent.jdbc.Dialect;

/**
 * The statements for operators, in the SQL dialect of one database.
 *
 * @param findKeys finds the keys of records in a range
 * @param unknown reads the records whose outcome is unknown, newest first
 * @param release turns a claim into a token
 * @param confirm turns a claim into a tombstone
 */
record AdministrationStatements(NamedParameterSql findKeys, NamedParameterSql unknown, NamedParameterSql release,
		NamedParameterSql confirm) {

	private static final String FIND_KEYS = """
			select r.operation_key from {table} r
			where r.operation_key between :lowest and :highest and r.expires_at > {now}
			order by r.operation_key""";

	/**
	 * The last sign of life of the owner: the lease of an owner that has reported an
	 * unknown outcome is 0.
	 */
	private static final String UNKNOWN = """
			 and r.state = 2 and r.format = 1 and r.lease_end <= {now} and r.expires_at > {now}
			order by r.expires_at - r.retention desc""";

	private static final String OF_CLAIM = """
			 where r.operation_key = :key and r.expires_at > {now} and r.format = 1 and r.state = 2
			and r.owner = :owner and r.attempt = :attempt and (:force or r.lease_end <= {now})""";

	private static final String RELEASE = """
			update {table} r set state = 1, took_over = false, owner = null, fingerprint = null, lease_end = 0,
			token_end = 0, retention = 0, origin = null""" + OF_CLAIM;

	private static final String CONFIRM = """
			update {table} r set state = 4, took_over = false, lease_end = 0, token_end = 0,
			expires_at = {now} + r.retention, owner = :by""" + OF_CLAIM;

	static AdministrationStatements of(Function<String, NamedParameterSql> sql, String look, Dialect dialect) {
		String limit = (dialect == Dialect.H2) ? " fetch first :limit rows only" : " limit :limit";
		String all = look.replace("r.operation_key = :key", "1 = 1");
		return new AdministrationStatements(sql.apply(FIND_KEYS + limit), sql.apply(all + UNKNOWN + limit),
				sql.apply(RELEASE), sql.apply(CONFIRM));
	}

}
