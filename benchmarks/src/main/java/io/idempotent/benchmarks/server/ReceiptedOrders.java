package io.idempotent.benchmarks.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.submission.receipt.AttemptReceipt;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions that insert an order, as an application's do, with a receipt or without.
 */
public final class ReceiptedOrders {

	private static final int THREADS = 4;

	private static final long EACH_NANOS = THREADS * 1_000_000L;

	private static final Origin ORIGIN = new Origin(Origin.application("shop"), "Orders.create", "node", null,
			Instant.EPOCH);

	private final SecureRandom random = new SecureRandom();

	private final JdbcTemplate sql;

	private final ReceiptGuard guard;

	private final TransactionTemplate transaction;

	/**
	 * Creates the table of orders; that of receipts is there.
	 * @param database where
	 */
	public ReceiptedOrders(DataSource database) {
		this.sql = new JdbcTemplate(database);
		this.sql.execute("create table purchase (id bigint generated always as identity primary key,"
				+ " item varchar(100) not null, quantity integer not null)");
		this.guard = new ReceiptGuard(database, "idempotent_receipt", Duration.ofDays(30), Duration.ofSeconds(5),
				RecordEncryption.NONE);
		DataSourceTransactionManager manager = new DataSourceTransactionManager(database);
		manager.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(this.guard)));
		this.transaction = new TransactionTemplate(manager);
	}

	/** Inserts an order. */
	public void insert() {
		this.transaction.executeWithoutResult(
				(status) -> this.sql.update("insert into purchase (item, quantity) values (?, ?)", "a book", 2));
	}

	/** Inserts an order, and the receipt of a new operation. */
	public void insertWithReceipt() {
		OperationKey key = OperationKey.of("shop", "Orders.create", List.of(), UUID.randomUUID().toString());
		AttemptReceipt receipt = new AttemptReceipt(
				new ClaimId(key, Owner.draw(this.random), Fingerprint.of(key), 1, ORIGIN), this.guard, (event) -> {
				});
		boolean committed = receipt.execute(() -> {
			receipt.join();
			insert();
			return receipt.isCommitted();
		});
		if (!committed) {
			throw new IllegalStateException("No receipt was left");
		}
	}

	/**
	 * Inserts a thousand orders with receipts a second, until something has been done and
	 * a time has passed.
	 * @param atLeast the time
	 * @param work what is to be done
	 * @return nanoseconds from the moment at which a transaction was due to its end
	 * @throws Exception what the work threw
	 */
	public Histogram beside(Duration atLeast, Callable<@Nullable Void> work) throws Exception {
		Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<? extends Future<?>> running = Stream
				.generate(() -> threads.submit(() -> insertUntil(done, latencies)))
				.limit(THREADS)
				.toList();
			long end = System.nanoTime() + atLeast.toNanos();
			work.call();
			while (System.nanoTime() < end) {
				LockSupport.parkNanos(end - System.nanoTime());
			}
			done.set(true);
			for (Future<?> each : running) {
				each.get();
			}
		}
		finally {
			done.set(true);
			threads.shutdown();
		}
		return latencies;
	}

	private void insertUntil(AtomicBoolean done, Histogram latencies) {
		for (long due = System.nanoTime(); !done.get(); due += EACH_NANOS) {
			while (System.nanoTime() < due) {
				LockSupport.parkNanos(due - System.nanoTime());
			}
			insertWithReceipt();
			latencies.recordValue(System.nanoTime() - due);
		}
	}

}
