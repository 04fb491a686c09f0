package io.idempotent.boot;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of what the application's own database guards.
 *
 * @param enabled Whether the application's database guards its transactions.
 * @param initializeSchema When the tables are created at start-up, under their default
 * names.
 * @param fenceTable Name of the table of fences.
 * @param receipt What proves that an operation took effect.
 */
@ConfigurationProperties("idempotent.guard")
record GuardProperties(@DefaultValue("false") boolean enabled,
		@DefaultValue("embedded") InitializeSchema initializeSchema,
		@DefaultValue("idempotent_fence") String fenceTable, @DefaultValue Receipt receipt) {

	GuardProperties {
		PropertyAssertions.tableName("idempotent.guard.fence-table", fenceTable);
	}

	/**
	 * What proves that an operation took effect.
	 *
	 * @param enabled Whether operations leave receipts where the guard is enabled.
	 * @param table Name of the table of receipts.
	 * @param retention How long receipts are kept; at least as long as the records of the
	 * operations.
	 * @param purgeInterval How much time between two deletions of old receipts.
	 * @param queryTimeout How long a statement outside of the application's transactions
	 * may take.
	 */
	record Receipt(@DefaultValue("true") boolean enabled, @DefaultValue("idempotent_receipt") String table,
			@DefaultValue("30d") Duration retention, @DefaultValue("1h") Duration purgeInterval,
			@DefaultValue("5s") Duration queryTimeout) {

		Receipt {
			PropertyAssertions.tableName("idempotent.guard.receipt.table", table);
			PropertyAssertions.positive("idempotent.guard.receipt.retention", retention);
			PropertyAssertions.positive("idempotent.guard.receipt.purge-interval", purgeInterval);
			PropertyAssertions.that(queryTimeout.toSeconds() >= 1, "idempotent.guard.receipt.query-timeout",
					queryTimeout, "databases count whole seconds", "Give at least 1s");
		}

	}

}
