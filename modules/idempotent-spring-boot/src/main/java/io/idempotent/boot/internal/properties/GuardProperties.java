package io.idempotent.boot.internal.properties;

import java.time.Duration;

import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the guards in the application's own database: fences of locks, and
 * receipts of operations.
 *
 * @param enabled Whether to protect transactions by fences and receipts in the
 * application's database.
 * @param dataSource Name of the DataSource bean of the guarded database, if there are
 * several and it is not the primary one.
 * @param fenceTable Name of the table of fences.
 * @param receipt Receipts, which prove that an operation has taken effect.
 */
@ConfigurationProperties("idempotent.guard")
public record GuardProperties(@DefaultValue("false") boolean enabled, @Nullable String dataSource,
		@DefaultValue("idempotent_fence") String fenceTable, @DefaultValue Receipt receipt) {

	public GuardProperties {
		PropertyAssertions.tableName("idempotent.guard.fence-table", fenceTable);
	}

	/**
	 * Receipts, which prove that an operation has taken effect.
	 *
	 * @param enabled Whether operations write receipts, if the guard is enabled.
	 * @param table Name of the table of receipts.
	 * @param retention How long receipts are kept. It must not be shorter than the
	 * retention of an operation.
	 */
	public record Receipt(@DefaultValue("true") boolean enabled, @DefaultValue("idempotent_receipt") String table,
			@DefaultValue("30d") Duration retention) {

		public Receipt {
			PropertyAssertions.tableName("idempotent.guard.receipt.table", table);
			PropertyAssertions.positive("idempotent.guard.receipt.retention", retention);
		}

	}

}
