package io.idempotent.jdbc;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Old receipts are deleted in the background.
 */
class GuardPurgeTests {

	private static final Duration OFTEN = Duration.ofMillis(20);

	@AutoClose
	private final GuardedDatabase database = GuardedDatabase.h2();

	private final ReceiptGuard guard = new ReceiptGuard(this.database, "idempotent_receipt", Duration.ofHours(1),
			Duration.ofSeconds(5), RecordEncryption.NONE);

	@BeforeEach
	void insertAnOldReceipt() {
		this.database.sql()
			.update("insert into idempotent_receipt (operation_key, owner, attempt, operation, created_at)"
					+ " values (?, ?, 1, 'Orders.create', 0)",
					OperationKey.of("test", "Orders.create", List.of(), "1").digest().bytes(),
					Owner.draw(new SecureRandom()).bytes());
		this.database.takeStatements();
	}

	@Test
	void oldReceiptsAreDeletedInTheBackground() {
		purging(() -> await().until(() -> receipts() == 0));
	}

	@Test
	void aFailedPurgeIsRepeatedLater() {
		this.database.sql().execute("alter table idempotent_receipt rename to elsewhere");
		purging(() -> {
			await().until(() -> this.database.takeStatements().size() > 1);
			this.database.sql().execute("alter table elsewhere rename to idempotent_receipt");
			await().until(() -> receipts() == 0);
		});
	}

	@Test
	void nothingRunsAfterItWasClosed() {
		purging(() -> {
			await().until(() -> receipts() == 0);
			assertThat(purgeThreads()).singleElement().satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
		});
		await().until(() -> purgeThreads().isEmpty());
	}

	private void purging(Runnable meanwhile) {
		GuardPurge purge = new GuardPurge("receipt", this.guard::purge, OFTEN);
		try {
			meanwhile.run();
		}
		finally {
			purge.close();
		}
	}

	private static List<Thread> purgeThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("idempotent-receipt-purge"))
			.toList();
	}

	private int receipts() {
		return this.database.sql().queryForObject("select count(*) from idempotent_receipt", Integer.class);
	}

}
