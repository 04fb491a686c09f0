package io.idempotent.jdbc.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.jdbc.FirstRow;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.TableName;
import io.idempotent.jdbc.store.StoredRecord.Found;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * The table of records: one row for each key. Each statement uses a connection of its own
 * and is committed when it returns.
 */
final class RecordTable {

	private final ShortStatements database;

	private final String table;

	private volatile @Nullable RecordStatements statements;

	RecordTable(ShortStatements database, String table) {
		this.database = database;
		this.table = TableName.require(table);
	}

	/**
	 * Inserts a token, unless there is a record already.
	 */
	void issue(String what, Map<String, ?> values) {
		RecordStatements sql = statements(what);
		if (!insert(what, sql.issue(), values) && !sql.combined()) {
			update(what, sql.reissue(), values);
		}
	}

	/**
	 * Claims a record.
	 * @return the result, or {@code null} if the record was changed meanwhile
	 */
	@Nullable ClaimResult claim(String what, ClaimRequest request, Map<String, @Nullable Object> values) {
		RecordStatements sql = statements(what);
		if (sql.combined()) {
			NamedParameterSql claim = (request.admission() == Admission.OPEN) ? sql.claimNew() : sql.claimFound();
			return first(what, claim, (row) -> Optional.ofNullable(granted(row, request)), values)
				.flatMap((result) -> result)
				.orElse(null);
		}
		if (request.admission() == Admission.OPEN && insert(what, sql.claimNew(), values)) {
			return new ClaimResult.Granted(1, false);
		}
		Found found = first(what, sql.findForClaim(), Found::read, values).orElse(null);
		if (found == null || !found.claimable()) {
			return refused(found, request);
		}
		values.put("foundAttempt", found.record().attempt());
		values.put("nextAttempt", found.nextAttempt());
		values.put("nextTookOver", found.nextTookOver());
		return update(what, sql.claimFound(), values)
				? new ClaimResult.Granted(found.nextAttempt(), found.nextTookOver()) : null;
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

	boolean renew(String what, Map<String, ?> values) {
		return update(what, statements(what).renew(), values);
	}

	boolean complete(String what, Map<String, ?> values) {
		return update(what, statements(what).complete(), values);
	}

	boolean completeNew(String what, Map<String, ?> values) {
		return insert(what, statements(what).completeNew(), values);
	}

	boolean giveUp(String what, Map<String, ?> values) {
		return update(what, statements(what).giveUp(), values);
	}

	boolean giveBack(String what, Map<String, ?> values) {
		return update(what, statements(what).giveBack(), values);
	}

	/**
	 * Reads a record that has not expired.
	 */
	Optional<StoredRecord> find(String what, Map<String, ?> values) {
		return first(what, statements(what).read(), StoredRecord::read, values).filter((record) -> !record.isExpired());
	}

	/**
	 * Finds the keys of records in a range.
	 */
	List<OperationKey> findKeys(String what, Map<String, ?> values) {
		return all(what, statements(what).administration().findKeys(), RecordTable::key, values);
	}

	/**
	 * Finds records whose outcome is unknown, newest first.
	 */
	List<RecordSnapshot> unknown(String what, Map<String, ?> values) {
		return all(what, statements(what).administration().unknown(),
				(row) -> StoredRecord.read(row).snapshot(key(row)), values);
	}

	boolean releaseClaim(String what, Map<String, ?> values) {
		return update(what, statements(what).administration().release(), values);
	}

	boolean confirmClaim(String what, Map<String, ?> values) {
		return update(what, statements(what).administration().confirm(), values);
	}

	/**
	 * Describes a record by a condition in SQL, for operators.
	 */
	String nameOf(OperationKey key) {
		String literal = statements("name operation " + key).combined() ? "'\\x" : "x'";
		return this.table + " where operation_key = " + literal + HexFormat.of().formatHex(key.digest().bytes()) + "'";
	}

	private static OperationKey key(ResultSet row) throws SQLException {
		return new OperationKey(Digest.of(row.getBytes("operation_key")));
	}

	void purge(String what, Map<String, ?> values) {
		update(what, statements(what).purge(), values);
	}

	private boolean insert(String what, NamedParameterSql sql, Map<String, ?> values) {
		return this.database.run(what, (session) -> FirstRow.insert(session, sql.text(), sql.arguments(values)));
	}

	private boolean update(String what, NamedParameterSql sql, Map<String, ?> values) {
		return this.database.run(what, (session) -> session.update(sql.text(), sql.arguments(values)) > 0);
	}

	private <T> Optional<T> first(String what, NamedParameterSql sql,
			ThrowingFunction<ResultSet, T, SQLException> reader, Map<String, ?> values) {
		return this.database.run(what, (session) -> session.first(sql.text(), reader, sql.arguments(values)));
	}

	private <T> List<T> all(String what, NamedParameterSql sql, ThrowingFunction<ResultSet, T, SQLException> reader,
			Map<String, ?> values) {
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

}
