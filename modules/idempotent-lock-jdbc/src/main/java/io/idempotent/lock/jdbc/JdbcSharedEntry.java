package io.idempotent.lock.jdbc;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.TableName;
import io.idempotent.lock.engine.SharedEntry;

/**
 * An entry as a row, read and written by one statement each. The first version is the
 * time of the database, greater than any version of a deleted row, so that a late write
 * to that row does not affect the next one.
 */
record JdbcSharedEntry(ShortStatements database, String table, String name) implements SharedEntry {

	JdbcSharedEntry {
		TableName.require(table);
	}

	@Override
	public Value read() {
		return this.database.run("read the lock engine in force",
				(session) -> session
					.first("select version, document from " + this.table + " where name = ?",
							(row) -> new Value(row.getLong(1), row.getString(2)), this.name)
					.orElse(Value.ABSENT));
	}

	@Override
	public boolean write(long version, String text) {
		return this.database.run("write the lock engine in force", (session) -> {
			if (version == 0) {
				return session.insertFirst("insert into " + this.table + " (name, version, document) values (?, "
						+ session.dialect().microseconds() + ", ?)", this.name, text);
			}
			return session.update(
					"update " + this.table + " set version = version + 1, document = ? where name = ? and version = ?",
					text, this.name, version) == 1;
		});
	}

}
