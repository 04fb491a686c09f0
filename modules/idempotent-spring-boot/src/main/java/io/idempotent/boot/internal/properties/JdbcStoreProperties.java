package io.idempotent.boot.internal.properties;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Properties of a store in the application's database. Apart from
 * {@link StoreProperties}, because an application without a database has no
 * {@link DatabaseInitializationMode}.
 *
 * @param table Name of the table of records.
 * @param initializeSchema When to create the table of records at startup, under its
 * default name.
 */
@ConfigurationProperties("idempotent.store.jdbc")
public record JdbcStoreProperties(@DefaultValue("idempotent_record") String table,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema) {

	public JdbcStoreProperties {
		PropertyAssertions.tableName("idempotent.store.jdbc.table", table);
	}

}
