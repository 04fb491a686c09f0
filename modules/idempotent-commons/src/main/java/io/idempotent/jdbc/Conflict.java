package io.idempotent.jdbc;

import java.sql.SQLException;
import java.util.Set;

/**
 * The errors that a database reports because of another transaction: what was rolled back
 * may succeed when it is repeated. Of any database: no statement here causes another
 * error of the same number.
 */
final class Conflict {

	/** PostgreSQL: serialization failure, deadlock, lock timeout. */
	private static final Set<String> STATES = Set.of("40001", "40P01", "55P03");

	/**
	 * MariaDB, MySQL: lock timeout, deadlock, rollback by Group Replication. Oracle:
	 * deadlock. SQL Server: deadlock, lock timeout.
	 */
	private static final Set<Integer> CODES = Set.of(1205, 1213, 3101, 60, 1222);

	/** MariaDB ({@code innodb_snapshot_isolation}), Oracle, SQL Server; all of H2. */
	private static final Set<Integer> SNAPSHOT_CODES = Set.of(1020, 8177, 3960, 40001, 50200, 90131);

	private Conflict() {
	}

	static boolean isCauseOf(SQLException failure) {
		return STATES.contains(String.valueOf(failure.getSQLState())) || CODES.contains(failure.getErrorCode())
				|| isOfSnapshot(failure);
	}

	/** Whether {@code READ COMMITTED} avoids it. PostgreSQL has no error codes. */
	static boolean isOfSnapshot(SQLException failure) {
		return SNAPSHOT_CODES.contains(failure.getErrorCode())
				|| (failure.getErrorCode() == 0 && "40001".equals(failure.getSQLState()));
	}

}
