package io.idempotent.benchmarks.receipt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.idempotent.jdbc.receipt.ReceiptGuard;

import org.springframework.core.io.ClassPathResource;

/**
 * How the table of receipts is stored.
 */
enum Layout {

	PLAIN("plain table"), PARTITIONED("16 partitions by hash");

	private final String title;

	Layout(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	/** The schema of the library, or the same with partitions. */
	String schema() throws IOException {
		String plain = new ClassPathResource("schema-postgresql.sql", ReceiptGuard.class)
			.getContentAsString(StandardCharsets.UTF_8);
		return (this == PLAIN) ? plain : plain.replaceFirst("\\);", """
				) partition by hash (operation_key);
				do \\$\\$
				begin
					for i in 0..15 loop
						execute format('create table idempotent_receipt_%s partition of idempotent_receipt
							for values with (modulus 16, remainder %s)', i, i);
					end loop;
				end \\$\\$;""");
	}

}
