package io.idempotent.jdbc;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.LockDefaults;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Old receipts are deleted by one node at a time.
 */
class GuardPurgeTests {

	private static final Duration OFTEN = Duration.ofMillis(20);

	@AutoClose
	private final GuardedDatabase database = GuardedDatabase.h2();

	private final ReceiptGuard guard = new ReceiptGuard(this.database, "idempotent_receipt", Duration.ofHours(1),
			Duration.ofSeconds(5));

	@AutoClose
	private final EngineDistributedLocks locks = new EngineDistributedLocks(List.of(new LocalLockEngine()),
			new LockDefaults(Duration.ofSeconds(60)), List.of());

	private final DistributedLock lock = this.locks.get("purge");

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
		purging(() -> this.lock, () -> await().until(() -> receipts() == 0));
		// The next purge may have begun when this one was closed.
		await("given back").until(this.lock::tryLock);
	}

	@Test
	void aFailingLockEngineDoesNotPreventThePurge() {
		this.locks.close();
		purging(() -> this.lock, () -> await().until(() -> receipts() == 0));
	}

	@Test
	void onlyOneNodePurgesAtATime() {
		this.lock.lock();
		purging(() -> this.lock, () -> {
			await().pollDelay(OFTEN.multipliedBy(10)).until(() -> true);
			assertThat(this.database.takeStatements()).isEmpty();
			this.lock.unlock();
			await().until(() -> receipts() == 0);
		});
	}

	@Test
	void aFailedPurgeIsRepeatedLater() {
		this.database.sql().execute("alter table idempotent_receipt rename to elsewhere");
		purging(() -> null, () -> {
			await().until(() -> this.database.takeStatements().size() > 1);
			this.database.sql().execute("alter table elsewhere rename to idempotent_receipt");
			await().until(() -> receipts() == 0);
		});
	}

	@Test
	void nothingRunsAfterItWasClosed() {
		purging(() -> null, () -> {
			await().until(() -> receipts() == 0);
			assertThat(purgeThreads()).singleElement().satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
		});
		await().until(() -> purgeThreads().isEmpty());
	}

	private void purging(Supplier<DistributedLock> under, Runnable meanwhile) {
		GuardPurge purge = new GuardPurge("receipt", this.guard::purge, OFTEN, under);
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
