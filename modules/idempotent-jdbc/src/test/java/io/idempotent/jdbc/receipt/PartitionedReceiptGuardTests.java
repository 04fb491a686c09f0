package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * In PostgreSQL, with the table of docs/scale.md.
 */
@Tag("slow")
class PartitionedReceiptGuardTests extends ReceiptGuardContract {

	private static final GuardedDatabase DATABASE = GuardedDatabase.postgresql(TestPostgres.newDatabase());

	@BeforeAll
	static void partition() {
		DATABASE.sql().execute("""
				drop table idempotent_receipt;
				create table idempotent_receipt (
					operation_key bytea not null primary key,
					owner bytea not null,
					attempt integer not null,
					operation varchar(255) not null,
					created_at bigint not null,
					answer bytea,
					fingerprint bytea
				) partition by hash (operation_key);
				do $$
				begin
					for i in 0..15 loop
						execute format('create table idempotent_receipt_%s partition of idempotent_receipt
							for values with (modulus 16, remainder %s)', i, i);
					end loop;
				end $$;
				create index idempotent_receipt_age on idempotent_receipt (created_at);""");
	}

	@Override
	protected GuardedDatabase database() {
		return DATABASE;
	}

}
