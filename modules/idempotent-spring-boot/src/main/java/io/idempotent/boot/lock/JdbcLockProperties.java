package io.idempotent.boot.lock;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Properties of locks in a database. Apart from {@link LockProperties}, because an
 * application without a database has no {@link DatabaseInitializationMode}.
 *
 * @param table Name of the table of leases, for the engine jdbc.
 * @param transactionTable Name of the table of rows that transactions lock, for the
 * engine jdbc-transaction.
 * @param initializeSchema When to create the tables at startup, under their default
 * names.
 */
@ConfigurationProperties("idempotent.lock.jdbc")
record JdbcLockProperties(@DefaultValue("idempotent_lock") String table,
		@DefaultValue("idempotent_transaction_lock") String transactionTable,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema) {

	JdbcLockProperties {
		PropertyAssertions.tableName("idempotent.lock.jdbc.table", table);
		PropertyAssertions.tableName("idempotent.lock.jdbc.transaction-table", transactionTable);
	}

}
