package io.idempotent.lock.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row as a waiter sees it.
 *
 * @param free whether the waiter can take it
 * @param inTurn whether the turn of a node has not ended yet
 * @param nextFree whether the waiter can reserve the next turn, or has done so
 * @param token the last token, which changes with each grant to a writer
 */
record RowState(boolean free, boolean inTurn, boolean nextFree, long token) {

	static RowState read(ResultSet row) throws SQLException {
		return new RowState(row.getInt(1) == 1, row.getInt(2) == 1, row.getInt(3) == 1, row.getLong(4));
	}

}
