package io.idempotent.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.Unchecked;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class GroupCommitTests {

	private static final String INSERT = "insert into item values (?, ?) on conflict do nothing";

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final TestDatabase DATABASE = TestDatabase.postgresql(TestPostgres.newDatabase());

	private final HikariDataSource pool = DATABASE.pool(2);

	private final AtomicInteger connections = new AtomicInteger();

	private final ShortStatements statements = new ShortStatements(
			ObservedDataSource.beforeConnections(this.pool, this.connections::incrementAndGet), Duration.ofSeconds(5),
			RecordTable.FAILURES, Dialect::of);

	private final CountDownLatch released = new CountDownLatch(1);

	@BeforeAll
	static void createTable() {
		DATABASE.sql().execute("create table item (id integer primary key, name varchar(5))");
	}

	@BeforeEach
	void empty() {
		DATABASE.sql().update("delete from item");
	}

	@AfterEach
	void close() {
		this.released.countDown();
		this.pool.close();
	}

	@Test
	void aCallerWithoutCompanyExecutesTheStatementAlone() {
		GroupCommit group = group(LONG);
		assertThat(insert(group, 1, "alone")).isTrue();
		assertThat(insert(group, 1, "alone")).isFalse();
	}

	@Test
	void callersThatWaitShareATransaction() throws Exception {
		GroupCommit group = group(LONG);
		occupy(group);
		List<FutureTask<Boolean>> members = IntStream.range(0, 10).mapToObj((id) -> waiting(group, id, "tea")).toList();
		this.released.countDown();
		for (FutureTask<Boolean> member : members) {
			assertThat(member.get()).isTrue();
		}
		assertThat(this.connections).hasValue(1);
		assertThat(DATABASE.sql().queryForObject("select count(distinct xmin::text) from item", Integer.class))
			.isEqualTo(1);
	}

	@Test
	void aMemberThatChangesNoRowDoesNotAffectTheOthers() throws Exception {
		DATABASE.sql().update("insert into item values (5, 'old')");
		GroupCommit group = group(LONG);
		occupy(group);
		List<FutureTask<Boolean>> members = IntStream.range(0, 10).mapToObj((id) -> waiting(group, id, "tea")).toList();
		this.released.countDown();
		for (int id = 0; id < 10; id++) {
			assertThat(members.get(id).get()).isEqualTo(id != 5);
		}
	}

	@Test
	void aMemberThatTheDatabaseRefusesFailsAlone() throws Exception {
		GroupCommit group = group(LONG);
		occupy(group);
		FutureTask<Boolean> good = waiting(group, 1, "tea");
		FutureTask<Boolean> bad = waiting(group, 2, "too long");
		FutureTask<Boolean> other = waiting(group, 3, "tea");
		this.released.countDown();
		assertThat(good.get()).isTrue();
		assertThat(other.get()).isTrue();
		assertThatExceptionOfType(Exception.class).isThrownBy(bad::get)
			.withCauseInstanceOf(StoreUnavailableException.class)
			.withMessageContaining("insert alone");
	}

	@Test
	void anOutageIsReportedToAllMembersAfterOneTry() throws Exception {
		GroupCommit group = group(LONG);
		occupy(group);
		List<FutureTask<Boolean>> members = IntStream.range(0, 5).mapToObj((id) -> waiting(group, id, "tea")).toList();
		this.pool.close();
		this.released.countDown();
		for (FutureTask<Boolean> member : members) {
			assertThatExceptionOfType(Exception.class).isThrownBy(member::get)
				.withCauseInstanceOf(StoreUnavailableException.class)
				.withMessageContaining("insert items")
				.satisfies(
						(ex) -> assertThat(((StoreUnavailableException) ex.getCause()).mayHaveTakenEffect()).isFalse());
		}
		assertThat(this.connections).hasValue(1);
	}

	/** Arguments may be answers. */
	@Test
	void aFailureOfAGroupDoesNotTellItsArguments() throws Exception {
		ShortStatements statements = new ShortStatements(this.pool, Duration.ofSeconds(1), RecordTable.FAILURES,
				Dialect::of);
		GroupCommit group = new GroupCommit(statements, "insert items", LONG);
		occupy(group);
		try (Connection other = DATABASE.dataSource().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("lock table item");
			FutureTask<Boolean> first = waiting(group, 1, "stone");
			FutureTask<Boolean> second = waiting(group, 2, "stone");
			this.released.countDown();
			for (FutureTask<Boolean> member : List.of(first, second)) {
				assertThatExceptionOfType(Exception.class).isThrownBy(member::get)
					.satisfies((ex) -> assertThat(Throwables.getStackTrace(ex)).contains("canceling statement")
						.doesNotContain("stone"));
			}
		}
	}

	@Test
	void aCallerLeavesAGroupThatDoesNotStart() throws Exception {
		GroupCommit group = group(Duration.ofMillis(50));
		occupy(group);
		assertThat(insert(group, 1, "tea")).isTrue();
		this.released.countDown();
		assertThat(insert(group, 2, "tea")).isTrue();
	}

	@Test
	void anInterruptDoesNotEndTheWait() throws Exception {
		GroupCommit group = group(LONG);
		occupy(group);
		FutureTask<Boolean> unused = waiting(group, 1, "tea");
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		FutureTask<Boolean> member = new FutureTask<>(() -> {
			boolean inserted = insert(group, 2, "tea");
			interrupted.complete(Thread.currentThread().isInterrupted());
			return inserted;
		});
		Thread thread = startAndAwaitWaiting(member);
		thread.interrupt();
		this.released.countDown();
		assertThat(member.get()).isTrue();
		assertThat(interrupted.join()).isTrue();
	}

	@Test
	void aCallerThatFailsLeavesTheStatementToTheNext() {
		GroupCommit group = group(LONG);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> update(group, 1, "tea", () -> {
			throw new IllegalStateException("planted");
		}));
		assertThat(insert(group, 1, "tea")).isTrue();
	}

	/** Joining a future on a thread of the common pool runs other tasks. */
	@Test
	void aCallerRunsNoOtherTaskWhileItWaits() throws Exception {
		GroupCommit group = group(LONG);
		occupy(group);
		CountDownLatch finished = new CountDownLatch(1);
		occupyCommonPool(ForkJoinPool.getCommonPoolParallelism() - 1, finished);
		CompletableFuture<Thread> caller = new CompletableFuture<>();
		Future<Boolean> member = ForkJoinPool.commonPool().submit(() -> {
			CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> awaitOrFail(finished));
			caller.complete(Thread.currentThread());
			return insert(group, 1, "tea");
		});
		Thread thread = caller.join();
		await().until(() -> isWaiting(thread));
		this.released.countDown();
		try {
			assertThat(member.get(20, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			finished.countDown();
		}
	}

	private static void occupyCommonPool(int threads, CountDownLatch until) throws InterruptedException {
		CountDownLatch occupied = new CountDownLatch(threads);
		for (int i = 0; i < threads; i++) {
			ForkJoinPool.commonPool().execute(() -> {
				occupied.countDown();
				awaitOrFail(until);
			});
		}
		occupied.await();
	}

	/** On a virtual thread, an interrupt closes the socket of the connection. */
	@Test
	void anInterruptedLeaderDoesNotFailTheOthers() throws Exception {
		AtomicBoolean interrupted = new AtomicBoolean();
		DataSource interrupting = ObservedDataSource.beforeConnections(this.pool, () -> {
			if (interrupted.compareAndSet(false, true)) {
				Thread.currentThread().interrupt();
				throw new SQLException("closed by an interrupt", "08006");
			}
		});
		GroupCommit group = new GroupCommit(
				new ShortStatements(interrupting, Duration.ofSeconds(5), RecordTable.FAILURES, Dialect::of),
				"insert items", LONG);
		occupy(group);
		List<FutureTask<Boolean>> members = IntStream.range(0, 5).mapToObj((id) -> waiting(group, id, "tea")).toList();
		this.released.countDown();
		for (FutureTask<Boolean> member : members.subList(1, members.size())) {
			assertThat(member.get()).isTrue();
		}
	}

	private GroupCommit group(Duration patience) {
		return new GroupCommit(this.statements, "insert items", patience);
	}

	/** Until {@link #released}. */
	private void occupy(GroupCommit group) {
		startAndAwaitWaiting(new FutureTask<>(() -> update(group, 0, "tea", () -> {
			awaitOrFail(this.released);
			return true;
		})));
	}

	private static void awaitOrFail(CountDownLatch latch) {
		Unchecked.run(() -> latch.await());
	}

	private FutureTask<Boolean> waiting(GroupCommit group, int id, String name) {
		FutureTask<Boolean> member = new FutureTask<>(() -> insert(group, id, name));
		startAndAwaitWaiting(member);
		return member;
	}

	private static Thread startAndAwaitWaiting(FutureTask<Boolean> task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		thread.start();
		await().until(() -> isWaiting(thread));
		return thread;
	}

	private static boolean isWaiting(Thread thread) {
		return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
	}

	private boolean insert(GroupCommit group, int id, String name) {
		return update(group, id, name,
				() -> this.statements.run("insert alone", (session) -> session.update(INSERT, id, name) == 1));
	}

	private static boolean update(GroupCommit group, int id, String name, BooleanSupplier alone) {
		return group.update(INSERT, new byte[] { (byte) -id }, new Object[] { id, name }, alone);
	}

}
