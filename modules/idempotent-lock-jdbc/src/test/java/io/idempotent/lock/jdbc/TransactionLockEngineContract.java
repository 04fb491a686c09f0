package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.testing.Callbacks;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a lock that is a transaction promises, below a {@link DistributedLock}. Two nodes
 * are two pools.
 */
@Timeout(60)
abstract class TransactionLockEngineContract {

	private final String name = "transaction:" + Long.toHexString(ThreadLocalRandom.current().nextLong());

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AutoClose
	private final Node node = new Node(database());

	@AutoClose
	private final Node other = new Node(database());

	protected abstract TestDatabase database();

	/**
	 * Whether the clock of the database goes on within a transaction. Where it stands
	 * still, a holder may get a lower token than one before it that was rolled back.
	 */
	private boolean tokensGrowAfterRollback() {
		return !database().platform().equals("h2");
	}

	@BeforeEach
	void createStock() {
		database().sql().execute("create table if not exists stock (id bigint primary key, pieces int not null)");
		database().sql().update("delete from stock");
		database().sql().update("insert into stock values (1, 0)");
	}

	@Test
	void eachHolderSeesWhatTheLastOneCommitted() throws Exception {
		List<Long> tokens = new ArrayList<>();
		List<Callable<Void>> work = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Node node = (i % 2 == 0) ? this.node : this.other;
			boolean rollsBack = i >= 6;
			work.add(() -> {
				for (int round = 0; round < 15; round++) {
					node.transactions.executeWithoutResult((status) -> {
						node.lock().lock();
						if (!rollsBack || tokensGrowAfterRollback()) {
							tokens.add(node.lock().fencingToken());
						}
						Integer pieces = node.sql.queryForObject("select pieces from stock", Integer.class);
						node.sql.update("update stock set pieces = ?", pieces + 1);
						node.lock().unlock();
						if (rollsBack) {
							status.setRollbackOnly();
						}
					});
				}
				return null;
			});
		}
		for (Future<Void> done : this.threads.invokeAll(work)) {
			done.get();
		}
		assertThat(pieces()).isEqualTo(6 * 15);
		assertThat(tokens).isSorted().doesNotHaveDuplicates().hasSize((tokensGrowAfterRollback() ? 8 : 6) * 15);
	}

	@Test
	void staysTakenAfterUnlockUntilTheCommit() throws Exception {
		this.node.transactions.executeWithoutResult((status) -> {
			this.node.lock().lock();
			this.node.lock().unlock();
			assertThat(elsewhere(this::isFree)).isFalse();
		});
		assertThat(isFree()).isTrue();
	}

	@Test
	void endsWithTheRollbackWithoutUnlock() {
		this.node.transactions.executeWithoutResult((status) -> {
			this.node.lock().lock();
			assertThat(elsewhere(this::isFree)).isFalse();
			status.setRollbackOnly();
		});
		assertThat(isFree()).isTrue();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.node.lock()::unlock);
	}

	@Test
	void raisesTheTokenAboveThatOfARollback() {
		long undone = tokenOf(this.node, true, true);
		assertThat(tokenOf(this.other, false, true)).isGreaterThan(undone);
	}

	private long tokenOf(Node node, boolean rollBack, boolean unlock) {
		Long token = node.transactions.execute((status) -> {
			node.lock().lock();
			long held = node.lock().fencingToken();
			if (unlock) {
				node.lock().unlock();
			}
			if (rollBack) {
				status.setRollbackOnly();
			}
			return held;
		});
		assertThat(token).isNotNull();
		return token;
	}

	@Test
	void takesALockWithTwoStatementsOnceItsNameIsKnown() {
		tokenOf(this.node, false, true);
		this.node.observed.executed().clear();
		tokenOf(this.node, false, true);
		assertThat(this.node.observed.executed()).filteredOn((command) -> !command.endsWith("ommit")).hasSize(2);
	}

	@Test
	void isEnteredAgainWithoutAnyStatement() {
		this.node.transactions.executeWithoutResult((status) -> {
			this.node.lock().lock();
			this.node.observed.executed().clear();
			assertThat(this.node.lock().tryLock()).isTrue();
			this.node.lock().unlock();
			assertThat(this.node.observed.executed()).isEmpty();
			assertThat(this.node.lock().isValid()).isTrue();
			this.node.lock().unlock();
		});
	}

	@Test
	void isTakenTwiceInTheSameTransaction() {
		this.node.transactions.executeWithoutResult((status) -> {
			this.node.lock().lock();
			long first = this.node.lock().fencingToken();
			this.node.lock().unlock();
			assertThat(this.node.lock().tryLock()).isTrue();
			assertThat(this.node.lock().fencingToken()).isGreaterThan(first);
			this.node.lock().unlock();
		});
	}

	@Test
	void givesUpInTimeAndLeavesTheTransactionUsable() throws Exception {
		Holder holder = new Holder(this.other);
		this.node.transactions.executeWithoutResult((status) -> {
			long start = System.nanoTime();
			assertThat(Unchecked.call(() -> this.node.lock().tryLock(300, TimeUnit.MILLISECONDS))).isFalse();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
			assertThat(this.node.lock().tryLock()).isFalse();
			this.node.sql.update("update stock set pieces = 7");
		});
		holder.commit();
		assertThat(pieces()).isEqualTo(7);
	}

	@Test
	void anInterruptLeavesTheTransactionUsable() throws Exception {
		AtomicReference<Thread> waiter = new AtomicReference<>();
		CountDownLatch waits = new CountDownLatch(1);
		Holder holder = new Holder(this.other);
		Future<?> waiting = this.threads.submit(() -> this.node.transactions.executeWithoutResult((status) -> {
			waiter.set(Thread.currentThread());
			waits.countDown();
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.node.lock()::lockInterruptibly);
			this.node.sql.update("update stock set pieces = 8");
		}));
		waits.await();
		waiter.get().interrupt();
		waiting.get();
		holder.commit();
		assertThat(pieces()).isEqualTo(8);
	}

	@Test
	void refusesToLockWithoutATransactionAndSaysWhatToDo() {
		assertThatIllegalStateException().isThrownBy(this.node.lock()::lock)
			.withMessageContainingAll(this.name, "@Transactional", "'jdbc'", "@DistributedLocked");
		assertThat(isFree()).isTrue();
	}

	@Test
	void refusesToLockInATransactionOnAnotherDataSource() {
		this.other.transactions.executeWithoutResult((status) -> {
			assertThatIllegalStateException().isThrownBy(this.node.lock()::lock);
			new JdbcTemplate(this.node.observed).queryForObject("select count(*) from stock", Integer.class);
			assertThatIllegalStateException().as("a connection that only lives as long")
				.isThrownBy(this.node.lock()::lock);
		});
	}

	@Test
	void refusesToLockInATransactionThatIsReadOnly() {
		this.node.transactions.setReadOnly(true);
		this.node.transactions
			.executeWithoutResult((status) -> assertThatIllegalStateException().isThrownBy(this.node.lock()::lock)
				.withMessageContaining("read-only"));
	}

	@Test
	void isReleasedWhenTheTransactionCompletes() {
		AtomicReference<Throwable> complaint = new AtomicReference<>(new AssertionError("Never given back"));
		this.node.transactions.executeWithoutResult((status) -> {
			this.node.lock().lock();
			Callbacks.afterCompletion(() -> {
				complaint.set(null);
				try {
					this.node.lock().unlock();
				}
				catch (LockLostException ex) {
					complaint.set(ex);
				}
			});
		});
		assertThat(complaint.get()).isNull();
		assertThat(isFree()).isTrue();
	}

	@Test
	void isExtendedWithoutAnyStatementWhileTheTransactionHoldsIt() {
		TransactionTemplate nested = this.node.transactions(TransactionDefinition.PROPAGATION_NESTED);
		DistributedLock lock = this.node.lock();
		this.node.transactions.executeWithoutResult((outer) -> {
			nested.executeWithoutResult((inner) -> {
				lock.lock();
				this.node.observed.executed().clear();
				lock.extend(Duration.ofMinutes(1));
				assertThat(this.node.observed.executed()).isEmpty();
				inner.setRollbackOnly();
			});
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.extend(Duration.ofMinutes(1)));
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		});
	}

	@Test
	void isNotEnteredAgainAfterARollbackToBeforeIt() {
		TransactionTemplate nested = this.node.transactions(TransactionDefinition.PROPAGATION_NESTED);
		DistributedLock lock = this.node.lock();
		this.node.transactions.executeWithoutResult((outer) -> {
			nested.executeWithoutResult((inner) -> {
				lock.lock();
				assertThat(lock.isValid()).isTrue();
				inner.setRollbackOnly();
			});
			assertThat(elsewhere(this::isFree)).isTrue();
			assertThat(lock.isValid()).isFalse();
			assertThat(lock.isHeldByCurrentThread()).isFalse();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::tryLock);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
			assertThat(lock.tryLock()).isTrue();
			assertThat(elsewhere(this::isFree)).isFalse();
			lock.unlock();
		});
	}

	@Test
	void isNotValidInACallbackAfterTheCommit() {
		DistributedLock lock = this.node.lock();
		List<Object> seen = new ArrayList<>();
		this.node.transactions.executeWithoutResult((status) -> {
			Callbacks.afterCommit(() -> {
				seen.add(elsewhere(this::isFree));
				seen.add(lock.isValid());
				// The lock has ended with its transaction, and a new one needs a new
				// transaction.
				assertThatIllegalStateException().isThrownBy(lock::tryLock)
					.withMessageContaining("the current thread is in none");
				seen.add("refused");
			});
			lock.lock();
		});
		assertThat(seen).containsExactly(true, false, "refused");
		assertThat(lock.isHeldByCurrentThread()).isFalse();
	}

	@Test
	void isTakenAnewAfterATransactionThatEndedWithoutUnlock() throws Exception {
		DistributedLock lock = this.node.lock();
		for (boolean rollsBack : new boolean[] { false, true }) {
			long former = tokenOf(this.node, rollsBack, false);
			assertThat(lock.isValid()).isFalse();
			assertThat(this.node.locks.held()).isEmpty();
			assertThat(elsewhere(() -> tokenOf(this.node, false, true))).as("another thread of this JVM").isPositive();
			Holder holder = new Holder(this.other);
			this.node.transactions.executeWithoutResult((status) -> {
				assertThat(lock.isValid()).isFalse();
				assertThat(lock.tryLock()).as("held by another node").isFalse();
			});
			holder.commit();
			assertThat(tokenOf(this.node, false, true)).isGreaterThan(former);
			assertThat(this.node.locks.held()).isEmpty();
		}
	}

	@Test
	void staysHeldWhileItsTransactionIsSuspended() {
		TransactionTemplate another = this.node.transactions(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		DistributedLock lock = this.node.lock();
		this.node.transactions.executeWithoutResult((outer) -> {
			lock.lock();
			another.executeWithoutResult((inner) -> {
				assertThat(lock.isValid()).isTrue();
				assertThat(lock.tryLock()).isTrue();
				lock.unlock();
			});
			assertThat(elsewhere(this::isFree)).isFalse();
			assertThat(lock.isValid()).isTrue();
			lock.unlock();
		});
	}

	@Test
	void outlivesTheRollbackToASavepointAfterIt() {
		TransactionTemplate nested = this.node.transactions(TransactionDefinition.PROPAGATION_NESTED);
		this.node.transactions.executeWithoutResult((outer) -> {
			this.node.lock().lock();
			nested.executeWithoutResult((inner) -> inner.setRollbackOnly());
			assertThat(elsewhere(this::isFree)).isFalse();
			this.node.lock().unlock();
		});
	}

	private boolean isFree() {
		return Boolean.TRUE.equals(this.other.transactions.execute((status) -> {
			boolean free = this.other.lock().tryLock();
			if (free) {
				this.other.lock().unlock();
			}
			return free;
		}));
	}

	private int pieces() {
		Integer pieces = database().sql().queryForObject("select pieces from stock", Integer.class);
		assertThat(pieces).isNotNull();
		return pieces;
	}

	private <T> T elsewhere(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, this.threads).join();
	}

	/**
	 * A node, with its own pool.
	 */
	private final class Node implements AutoCloseable {

		private final HikariDataSource pool;

		private final ObservedDataSource observed;

		private final JdbcTemplate sql;

		private final TransactionTemplate transactions;

		private final EngineDistributedLocks locks;

		Node(TestDatabase database) {
			HikariConfig config = database.config(10);
			// A pool that grows on demand overlooks a waiting thread now and again.
			config.setMinimumIdle(config.getMaximumPoolSize());
			this.pool = new HikariDataSource(config);
			this.observed = new ObservedDataSource(this.pool);
			this.sql = new JdbcTemplate(this.observed);
			this.transactions = transactions(TransactionDefinition.PROPAGATION_REQUIRED);
			this.locks = new EngineDistributedLocks(List.of(new TransactionLockEngine(this.observed)),
					Duration.ofSeconds(30), List.of());
		}

		TransactionTemplate transactions(int propagation) {
			TransactionTemplate template = new TransactionTemplate(new DataSourceTransactionManager(this.observed));
			template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
			template.setPropagationBehavior(propagation);
			return template;
		}

		DistributedLock lock() {
			return this.locks.get(TransactionLockEngineContract.this.name);
		}

		@Override
		public void close() {
			this.locks.close();
			this.pool.close();
		}

	}

	/**
	 * A transaction of another thread that holds the lock until it is told to commit.
	 */
	private final class Holder {

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		private final CompletableFuture<Void> transaction;

		Holder(Node node) {
			CompletableFuture<Void> holds = new CompletableFuture<>();
			this.transaction = CompletableFuture.runAsync(() -> node.transactions.executeWithoutResult((status) -> {
				node.lock().lock();
				holds.complete(null);
				this.end.join();
				node.lock().unlock();
			}), TransactionLockEngineContract.this.threads);
			holds.join();
		}

		void commit() {
			this.end.complete(null);
			this.transaction.join();
		}

	}

}
