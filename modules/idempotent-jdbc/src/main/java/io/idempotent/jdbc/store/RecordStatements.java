package io.idempotent.jdbc.store;

import io.idempotent.jdbc.Dialect;

/**
 * The statements of one table in the dialect of one database. Times are microseconds of
 * the database's clock; {@code r} is the existing record. If {@code combined}, as on
 * PostgreSQL, {@code issue} also replaces an expired record, {@code claimAny} claims a
 * new or an existing record, and it and {@code claimFound} return the record.
 * {@code complete} replaces the owner's claim or an expired record. {@code giveBack}
 * turns a claim into a token again, an expired one if there was none.
 */
record RecordStatements(boolean combined, NamedParameterSql issue, NamedParameterSql reissue,
		NamedParameterSql claimNew, NamedParameterSql claimNewSoon, NamedParameterSql claimAny,
		NamedParameterSql findForClaim, NamedParameterSql claimFound, NamedParameterSql read, NamedParameterSql renew,
		NamedParameterSql complete, NamedParameterSql completeSoon, NamedParameterSql completeNew,
		NamedParameterSql giveUp, NamedParameterSql giveBack, NamedParameterSql purge, NamedParameterSql findKeys,
		NamedParameterSql unknown, NamedParameterSql settleAsIssued, NamedParameterSql settleAsTombstone) {

	private static final String EXPIRED = "r.expires_at <= {now}";

	private static final String OWN = "(r.owner = :owner and (r.state <> 2 or r.lease_end <> 0))";

	private static final String CLAIMABLE = """
			case when {expired} then :open
			when r.format <> 1 then false
			when r.state = 1 then true
			when r.state in (2, 5) and r.owner is not null and r.fingerprint = :fingerprint
			then ({own} or (r.state = 2 and r.lease_end <= {now} and :takeOver))
			else false end""";

	private static final String NEXT_ATTEMPT = """
			case when {expired} then 1 when r.state <> 1 and {own} then r.attempt else r.attempt + 1 end""";

	private static final String NEXT_TOOK_OVER = """
			case when {expired} or r.state = 1 then false when {own} then r.took_over else true end""";

	private static final String SELECT = """
			select r.format, r.state, r.attempt, r.owner, r.fingerprint, r.lease_end, r.expires_at, r.answer,
			r.origin, r.operation_key, {now} as read_at{more} from {table} r where r.operation_key = :key""";

	private static final String LOOK = SELECT.replace("{more}", "");

	private static final String FIND = SELECT.replace("{more}", """
			, {claimable} as claimable, {next_attempt} as next_attempt, {next_took_over} as next_took_over""");

	private static final String INSERT = """
			insert into {table} {as_r} (operation_key, format, state, attempt, took_over, owner, fingerprint,
			lease_end, token_end, retention, expires_at, answer, origin) {values}""";

	private static final String ISSUE = INSERT.replace("{values}",
			"values (:key, 1, 1, 0, false, null, null, 0, 0, 0, {now} + :life, null, null)");

	private static final String SET_TOKEN = """
			set format = 1, state = 1, attempt = 0, took_over = false, owner = null, fingerprint = null,
			lease_end = 0, token_end = 0, retention = 0, expires_at = {now} + :life, answer = null,
			origin = null""";

	private static final String CLAIM_VALUES = """
			:key, 1, :state, 1, false, :owner, :fingerprint, {now} + :lease, 0, :retention, {now} + :retention, null,
			:origin""";

	private static final String CLAIM_NEW = INSERT.replace("{values}", "values (" + CLAIM_VALUES + ")");

	/**
	 * On PostgreSQL: waits for a transaction that inserts, changes or deletes the record
	 * no longer than a group may.
	 */
	private static final String SOON = "set_config('lock_timeout', '" + GroupCommit.PATIENCE.toMillis()
			+ "', true) is not null";

	private static final String CLAIM_NEW_SOON = INSERT.replace("{values}", "select " + CLAIM_VALUES + " where " + SOON)
			+ " on conflict (operation_key) do nothing";

	/** MySQL and MariaDB assign in order: columns that are read come first. */
	private static final String SET_CLAIM = """
			set token_end = case when {expired} then 0 when r.state = 1 then r.expires_at else r.token_end end,
			attempt = {attempt}, took_over = {took_over}, format = 1, state = :state, owner = :owner,
			fingerprint = :fingerprint, lease_end = {now} + :lease, retention = :retention,
			expires_at = {now} + :retention, answer = null, origin = :origin""";

	private static final String UPDATE_CLAIM = "update {table} r " + SET_CLAIM
			+ " where r.operation_key = :key and {claimable}";

	/**
	 * If the record cannot be claimed, nothing is locked or written. Otherwise the
	 * current version of the record is claimed.
	 */
	private static final String FIND_AND_CLAIM = """
			with seen as ({find}), claimed (granted_attempt, granted_took_over) as ({claim}
			returning r.attempt, r.took_over)
			select * from (select 1) one left join claimed on true left join seen on true""".replace("{find}", FIND);

	private static final String UPSERT_CLAIM = INSERT.replace("{values}",
			"select " + CLAIM_VALUES + " where coalesce((select claimable from seen), true)")
			+ " on conflict (operation_key) do update " + SET_CLAIM + " where {claimable}";

	private static final String HOLDS = """
			r.format = 1 and r.state in (2, 5) and r.owner = :owner and r.attempt = :attempt""";

	private static final String OF_HOLDER = " where r.operation_key = :key and r.expires_at > {now} and {holds}"
			+ " and (r.state = 5 or r.lease_end <> 0)";

	private static final String RENEW = """
			update {table} r set lease_end = {now} + :lease, expires_at =
			case when r.state = 2 then {now} + greatest(:lease, r.retention) else r.expires_at end""" + OF_HOLDER;

	private static final String COMPLETE = """
			update {table} r set format = 1, state = :state, attempt = :attempt, took_over = false, owner = :owner,
			fingerprint = :fingerprint, lease_end = 0, token_end = 0, retention = :retention,
			origin = case when {expired} then null else r.origin end, expires_at = {now} + :retention, answer = :answer
			where r.operation_key = :key and ({expired} or ({holds}))""";

	private static final String COMPLETE_SOON = COMPLETE + " and " + SOON;

	private static final String COMPLETE_NEW = INSERT.replace("{values}", """
			values (:key, 1, :state, :attempt, false, :owner, :fingerprint, 0, 0, :retention, {now} + :retention,
			:answer, null)""");

	/** With useAffectedRows, MySQL counts no row that stays as it is. */
	private static final String GIVE_UP = """
			update {table} r set lease_end = case when r.state = 2 then 0 else r.lease_end + 1 end""" + OF_HOLDER;

	private static final String GIVE_BACK = """
			update {table} r set state = 1, took_over = false, owner = null, fingerprint = null, lease_end = 0,
			retention = 0, expires_at = r.token_end""" + OF_HOLDER;

	private static final String FIND_KEYS = """
			select r.operation_key from {table} r
			where r.operation_key between :lowest and :highest and r.expires_at > {now}
			order by r.operation_key {limit}""";

	/**
	 * Ordered by the last sign of life of the owner: the lease of an owner that has
	 * reported an unknown outcome is 0.
	 */
	private static final String UNKNOWN = LOOK.replace("r.operation_key = :key", "1 = 1") + """
			 and r.state = 2 and r.format = 1 and r.lease_end <= {now} and r.expires_at > {now}
			order by r.expires_at - r.retention desc {limit}""";

	private static final String OF_CLAIM = """
			 where r.operation_key = :key and r.expires_at > {now} and r.format = 1 and r.state = 2
			and r.owner = :owner and r.attempt = :attempt and (:force or r.lease_end <= {now})""";

	private static final String SETTLE_AS_ISSUED = """
			update {table} r set state = 1, took_over = false, owner = null, fingerprint = null, lease_end = 0,
			token_end = 0, retention = 0, origin = null""" + OF_CLAIM;

	private static final String SETTLE_AS_TOMBSTONE = """
			update {table} r set state = 4, took_over = false, lease_end = 0, token_end = 0,
			expires_at = {now} + r.retention, owner = :by""" + OF_CLAIM;

	static RecordStatements of(String table, Dialect dialect) {
		return (dialect == Dialect.POSTGRESQL)
				? postgresql(new DialectSql(table, dialect, NEXT_ATTEMPT, NEXT_TOOK_OVER))
				: others(new DialectSql(table, dialect, ":nextAttempt", ":nextTookOver"));
	}

	private static RecordStatements postgresql(DialectSql sql) {
		return of(sql, ISSUE + " on conflict (operation_key) do update " + SET_TOKEN + " where {expired}",
				CLAIM_NEW + " on conflict (operation_key) do nothing", FIND_AND_CLAIM.replace("{claim}", UPSERT_CLAIM),
				FIND_AND_CLAIM.replace("{claim}", UPDATE_CLAIM));
	}

	private static RecordStatements others(DialectSql sql) {
		return of(sql, ISSUE, CLAIM_NEW, CLAIM_NEW, UPDATE_CLAIM + " and r.attempt = :foundAttempt");
	}

	private static RecordStatements of(DialectSql sql, String issue, String claimNew, String claimAny,
			String claimFound) {
		return new RecordStatements(sql.dialect() == Dialect.POSTGRESQL, sql.of(issue),
				sql.of("update {table} r " + SET_TOKEN + " where r.operation_key = :key and {expired}"),
				sql.of(claimNew), sql.of(CLAIM_NEW_SOON), sql.of(claimAny), sql.of(FIND), sql.of(claimFound),
				sql.of(LOOK), sql.of(RENEW), sql.of(COMPLETE), sql.of(COMPLETE_SOON), sql.of(COMPLETE_NEW),
				sql.of(GIVE_UP), sql.of(GIVE_BACK), sql.of(purge(sql.dialect())), sql.of(FIND_KEYS), sql.of(UNKNOWN),
				sql.of(SETTLE_AS_ISSUED), sql.of(SETTLE_AS_TOMBSTONE));
	}

	private static String purge(Dialect dialect) {
		if (dialect == Dialect.POSTGRESQL) {
			// Without statistics, the planner supposes that an open range has many rows,
			// and a closed one few: only then does it read the index.
			return """
					delete from {table} where operation_key = any(array(select operation_key from {table}
					where expires_at between 0 and {now} order by expires_at limit :limit for update skip locked))""";
		}
		return "delete from {table} where expires_at <= {now} {limit}";
	}

	/** Completes SQL templates for one table and one dialect. */
	private record DialectSql(String table, Dialect dialect, String attempt, String tookOver) {

		/** Placeholders whose values contain placeholders are replaced first. */
		NamedParameterSql of(String template) {
			return NamedParameterSql.of(template.replace("{attempt}", this.attempt)
				.replace("{took_over}", this.tookOver)
				.replace("{claimable}", CLAIMABLE)
				.replace("{next_attempt}", NEXT_ATTEMPT)
				.replace("{next_took_over}", NEXT_TOOK_OVER)
				.replace("{expired}", EXPIRED)
				.replace("{own}", OWN)
				.replace("{holds}", HOLDS)
				.replace("{as_r}", (this.dialect == Dialect.POSTGRESQL) ? "as r" : "")
				.replace("{now}", this.dialect.microseconds())
				.replace("{limit}", (this.dialect == Dialect.H2) ? "fetch first :limit rows only" : "limit :limit")
				.replace("{table}", this.table));
		}

	}

}
