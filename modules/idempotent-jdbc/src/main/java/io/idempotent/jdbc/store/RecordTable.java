package io.idempotent.jdbc.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementFailures;
import io.idempotent.jdbc.TableName;
import io.idempotent.jdbc.store.StoredRecord.Found;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.support.Digest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** The table of records. Each statement uses and commits a connection of its own. */
final class RecordTable {

	static final int PURGE_INTERVAL = 100;

	static final int PURGE_BATCH = 1000;

	static final StatementFailures FAILURES = new StatementFailures(RecordTable.class,
			StoreUnavailableException::withoutEffect, StoreUnavailableException::new);

	/**
	 * Its connections are the same for all threads. Those of another DataSource may
	 * depend on the thread, as with a database for each tenant.
	 */
	private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

	private static final Log logger = LogFactory.getLog(RecordTable.class);

	private final ShortStatements database;

	private final String table;

	private final boolean groupable;

	private final GroupCommit claims;

	private final GroupCommit completions;

	private final AtomicInteger written = new AtomicInteger();

	private volatile @Nullable RecordStatements statements;

	RecordTable(DataSource dataSource, String table, Duration timeout) {
		this.database = new ShortStatements(dataSource, timeout, FAILURES, Dialect::forLeases);
		this.table = TableName.require(table);
		this.groupable = ShortStatements.unwrap(dataSource).getClass().getName().equals(HIKARI);
		this.claims = new GroupCommit(this.database, "claim operations", GroupCommit.PATIENCE);
		this.completions = new GroupCommit(this.database, "complete operations", GroupCommit.PATIENCE);
	}

	/** Inserts a token, unless there is a record already. */
	void issue(String what, SqlParameterSource values) {
		if (!insert(what, RecordStatements::issue, values) && !statements(what).combined()) {
			update(what, RecordStatements::reissue, values);
		}
	}

	/** {@code null} if the record was changed meanwhile. */
	@Nullable ClaimResult claim(String what, ClaimRequest request, MapSqlParameterSource values) {
		boolean open = request.admission() == Admission.OPEN;
		if (open && claimNew(what, values)) {
			return new ClaimResult.Granted(1, false);
		}
		if (statements(what).combined()) {
			return first(what, open ? RecordStatements::claimAny : RecordStatements::claimFound,
					(row) -> Optional.ofNullable(granted(row, request)), values)
				.flatMap((result) -> result)
				.orElse(null);
		}
		Found found = first(what, RecordStatements::findForClaim, Found::read, values).orElse(null);
		if (found == null || !found.claimable()) {
			return refused(found, request);
		}
		values.addValue("foundAttempt", found.record().attempt())
			.addValue("nextAttempt", found.nextAttempt())
			.addValue("nextTookOver", found.nextTookOver());
		return update(what, RecordStatements::claimFound, values)
				? new ClaimResult.Granted(found.nextAttempt(), found.nextTookOver()) : null;
	}

	private boolean claimNew(String what, SqlParameterSource values) {
		RecordStatements sql = statements(what);
		BooleanSupplier alone = () -> insert(what, RecordStatements::claimNew, values);
		return formsGroups(sql) ? update(this.claims, sql.claimNewSoon(), values, alone) : alone.getAsBoolean();
	}

	/** Replaces the claim of the owner, or an expired record. */
	boolean complete(String what, SqlParameterSource values) {
		RecordStatements sql = statements(what);
		BooleanSupplier alone = () -> update(what, RecordStatements::complete, values);
		return (formsGroups(sql) && update(this.completions, sql.completeSoon(), values, alone))
				|| alone.getAsBoolean();
	}

	private boolean formsGroups(RecordStatements sql) {
		return this.groupable && sql.combined();
	}

	private static boolean update(GroupCommit group, NamedParameterSql sql, SqlParameterSource values,
			BooleanSupplier alone) {
		return group.update(sql.text(), Objects.requireNonNull((byte[]) values.getValue("key")), sql.arguments(values),
				alone);
	}

	private static @Nullable ClaimResult granted(ResultSet row, ClaimRequest request) throws SQLException {
		int attempt = row.getInt("granted_attempt");
		if (!row.wasNull()) {
			return new ClaimResult.Granted(attempt, row.getBoolean("granted_took_over"));
		}
		row.getInt("state");
		return refused(row.wasNull() ? null : Found.read(row), request);
	}

	private static @Nullable ClaimResult refused(@Nullable Found found, ClaimRequest request) {
		if (found == null) {
			return (request.admission() == Admission.ISSUED) ? new ClaimResult.NotIssued() : null;
		}
		return found.claimable() ? null : found.record().refusal(request);
	}

	/** Reads a record that has not expired. */
	Optional<StoredRecord> find(String what, SqlParameterSource values) {
		return first(what, RecordStatements::read, StoredRecord::read, values).filter((record) -> !record.isExpired());
	}

	List<OperationKey> findKeys(String what, SqlParameterSource values) {
		return all(what, RecordStatements::findKeys, RecordTable::key, values);
	}

	/** Finds records whose outcome is unknown, newest first. */
	List<RecordSnapshot> unknown(String what, SqlParameterSource values) {
		return all(what, RecordStatements::unknown, (row) -> StoredRecord.read(row).snapshot(key(row)), values);
	}

	/** Describes a record by a condition in SQL, for operators. */
	String nameOf(OperationKey key) {
		String literal = statements("name operation " + key).combined() ? "'\\x" : "x'";
		return this.table + " where operation_key = " + literal + HexFormat.of().formatHex(key.digest().bytes()) + "'";
	}

	private static OperationKey key(ResultSet row) throws SQLException {
		return new OperationKey(Digest.of(row.getBytes("operation_key")));
	}

	/** Inserts a record, unless there is one. */
	boolean insert(String what, Function<RecordStatements, NamedParameterSql> statement, SqlParameterSource values) {
		NamedParameterSql sql = statement.apply(statements(what));
		return this.database.run(what, (session) -> session.insertFirst(sql.text(), sql.arguments(values)));
	}

	/** Changes a record if it is in the state that the statement requires. */
	boolean update(String what, Function<RecordStatements, NamedParameterSql> statement, SqlParameterSource values) {
		NamedParameterSql sql = statement.apply(statements(what));
		return this.database.run(what, (session) -> session.update(sql.text(), sql.arguments(values)) > 0);
	}

	/**
	 * Counts a record that was written, and deletes a bounded number of expired ones from
	 * time to time: more than were written, so that it keeps up with any load. Never
	 * throws, since the record has been written.
	 */
	void written() {
		if (this.written.incrementAndGet() % PURGE_INTERVAL != 0) {
			return;
		}
		try {
			update("delete expired records", RecordStatements::purge, new MapSqlParameterSource("limit", PURGE_BATCH));
		}
		catch (StoreUnavailableException ex) {
			logger.warn("Expired records were not deleted; the next attempt follows after " + PURGE_INTERVAL + " more",
					ex);
		}
	}

	private <T> Optional<T> first(String what, Function<RecordStatements, NamedParameterSql> statement,
			ThrowingFunction<ResultSet, T, SQLException> reader, SqlParameterSource values) {
		NamedParameterSql sql = statement.apply(statements(what));
		return this.database.run(what, (session) -> session.first(sql.text(), reader, sql.arguments(values)));
	}

	private <T> List<T> all(String what, Function<RecordStatements, NamedParameterSql> statement,
			ThrowingFunction<ResultSet, T, SQLException> reader, SqlParameterSource values) {
		NamedParameterSql sql = statement.apply(statements(what));
		return this.database.run(what, (session) -> session.all(sql.text(), reader, sql.arguments(values)));
	}

	private RecordStatements statements(String what) {
		RecordStatements known = this.statements;
		if (known == null) {
			known = this.database.run(what, (session) -> RecordStatements.of(this.table, session.dialect()));
			this.statements = known;
		}
		return known;
	}

	@Override
	public String toString() {
		return "the table '" + this.table + "'";
	}

}
