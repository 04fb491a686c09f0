package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.Renewal;
import io.idempotent.lock.engine.EngineDistributedLocks;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.test.contract.LockEngineContract;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.Ownership;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockDefaults;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What every lock engine promises, and what rows with leases promise beyond that.
 */
abstract class JdbcLockEngineContract extends LockEngineContract {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final int DECENT_SHARE = 1000;

	private static final int MOST_ENTRIES = 60_000;

	private final Map<LockEngine, HikariDataSource> pools = new HashMap<>();

	private final HikariDataSource pool = database().pool(4);

	private final ObservedDataSource observed = new ObservedDataSource(this.pool);

	private final JdbcLockEngine observedEngine = new JdbcLockEngine(this.observed);

	protected abstract TestDatabase database();

	@Override
	protected LockEngine node() {
		HikariDataSource pool = database().pool(10);
		LockEngine engine = new JdbcLockEngine(pool);
		this.pools.put(engine, pool);
		return engine;
	}

	@Override
	protected void close(LockEngine engine) {
		engine.close();
		this.pools.remove(engine).close();
	}

	@AfterEach
	void closePool() {
		this.pool.close();
	}

	@Test
	void eachOperationIsOneStatement() throws Exception {
		take(this.observedEngine).release(Duration.ZERO);
		this.observed.executed().clear();
		LockGrant grant = take(this.observedEngine);
		assertThat(this.observed.executed()).singleElement().asString().startsWith("update");
		grant.renew(LEASE);
		assertThat(this.observed.executed()).hasSize(2);
		grant.release(Duration.ZERO);
		assertThat(this.observed.executed()).hasSize(3);
	}

	@Test
	void aRefusalTakesTwoStatementsAndAFirstUseFour() throws Exception {
		LockGrant first = take(this.observedEngine);
		assertThat(this.observed.executed()).hasSize(4);
		first.release(Duration.ZERO);
		LockGrant grant = take(this.engine);
		this.observed.executed().clear();
		assertThat(this.observedEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(this.observed.executed()).hasSize(2);
		grant.release(Duration.ZERO);
	}

	@Test
	void grantsANewNameOnceHoweverManyAskAtOnce() throws Exception {
		for (int round = 0; round < 10; round++) {
			String fresh = lockName() + ":" + round;
			CyclicBarrier start = new CyclicBarrier(8);
			List<Future<LockGrant>> answers = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				LockEngine node = (i % 2 == 0) ? this.engine : this.otherEngine;
				answers.add(inBackground(() -> {
					start.await();
					return node.acquire(new LockRequest(fresh, LEASE, false), Duration.ZERO);
				}));
			}
			int granted = 0;
			for (Future<LockGrant> answer : answers) {
				granted += (answer.get() != null) ? 1 : 0;
			}
			assertThat(granted).isEqualTo(1);
		}
	}

	@Test
	void looksAtATakenLockWithoutChangingAnythingAtFirst() throws Exception {
		LockGrant grant = take(this.engine);
		assertThat(this.observedEngine.acquire(request(LEASE), Duration.ofMillis(200))).isNull();
		assertThat(this.observed.executed().get(0)).startsWith("update");
		assertThat(this.observed.executed().subList(1, this.observed.executed().size())).hasSizeGreaterThan(2)
			.allSatisfy((sql) -> assertThat(sql).startsWith("select"));
		grant.release(Duration.ZERO);
	}

	@Test
	void reservesTheNextTurnUntilItGivesUp() throws Exception {
		LockGrant grant = take(this.engine);
		Future<LockGrant> waiting = inBackground(
				() -> this.observedEngine.acquire(request(LEASE), Duration.ofSeconds(2)));
		await().until(() -> waiter() != null);
		assertThat(grant.release(Duration.ZERO)).isEqualTo(Ownership.HELD);
		LockGrant next = require(waiting.get());
		assertThat(waiter()).isNull();
		this.observed.executed().clear();
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ofMillis(600))).isNull();
		assertThat(waiter()).isNull();
		next.release(Duration.ZERO);
	}

	@Test
	void aReservedTurnExpires() throws Exception {
		LockGrant grant = take(this.engine);
		database().sql()
			.update("update idempotent_lock set waiter = 'somebody', waits_until = (select expires_at "
					+ "from (select expires_at from idempotent_lock where name = ?) as row_of_the_lock) where name = ?",
					lockName(), lockName());
		assertThat(grant.renew(Duration.ofMillis(800))).isEqualTo(Ownership.HELD);
		assertThat(grant.release(Duration.ZERO)).isEqualTo(Ownership.HELD);
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).as("somebody's turn").isNull();
		database().sql().update("update idempotent_lock set waits_until = expires_at where name = ?", lockName());
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).as("nobody came").isNotNull();
	}

	private String waiter() {
		return column("waiter", String.class);
	}

	private <T> T column(String column, Class<T> type) {
		return database().sql()
			.queryForObject("select " + column + " from idempotent_lock where name = ?", type, lockName());
	}

	@Test
	void leavesItsTurnWhenTheDatabaseFailsIt() throws Exception {
		LockGrant grant = take(this.engine);
		Future<LockGrant> waiting = inBackground(
				() -> this.observedEngine.acquire(request(LEASE), Duration.ofSeconds(20)));
		await().until(() -> waiter() != null);
		AtomicBoolean failed = new AtomicBoolean();
		this.observed.beforeEach((count) -> {
			if (failed.compareAndSet(false, true)) {
				JdbcLockEngineContract.<RuntimeException>sneak(new SQLException("broken"));
			}
		});
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(waiting::get)
			.withCauseInstanceOf(LockUnavailableException.class);
		assertThat(waiter()).isNull();
		grant.release(Duration.ZERO);
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void sneak(Throwable failure) throws X {
		throw (X) failure;
	}

	@Test
	void keepsItsTurnWhenItsPoolIsInterrupted() throws Exception {
		LockGrant grant = take(this.engine);
		AtomicBoolean interrupted = new AtomicBoolean(true);
		JdbcLockEngine refused = new JdbcLockEngine(new DelegatingDataSource(this.pool) {
			@Override
			public Connection getConnection() throws SQLException {
				if (interrupted.compareAndSet(false, true)) {
					Thread.currentThread().interrupt();
					throw new SQLException("interrupted");
				}
				return super.getConnection();
			}
		});
		LockRequest request = new LockRequest(lockName(), LEASE, false).uninterruptible();
		Future<LockGrant> waiting = inBackground(() -> refused.acquire(request, Duration.ofSeconds(20)));
		await().until(() -> waiter() != null);
		String waiter = waiter();
		interrupted.set(false);
		await().until(interrupted::get);
		Timestamp before = column("waits_until", Timestamp.class);
		await().until(() -> column("waits_until", Timestamp.class).getTime() > before.getTime() + 1_500);
		assertThat(waiter()).isEqualTo(waiter);
		grant.release(Duration.ZERO);
		require(waiting.get()).release(Duration.ZERO);
	}

	@Test
	void sharesTheLockBetweenBusyNodes() throws Exception {
		take(this.engine).release(Duration.ZERO);
		LockDefaults terms = new LockDefaults(LEASE, Renewal.WHILE_HELD, Duration.ofMinutes(1));
		AtomicInteger[] shares = { new AtomicInteger(), new AtomicInteger() };
		try (EngineDistributedLocks first = new EngineDistributedLocks(List.of(this.engine), terms, List.of());
				EngineDistributedLocks second = new EngineDistributedLocks(List.of(this.otherEngine), terms,
						List.of())) {
			List<Future<Boolean>> threads = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				DistributedLock lock = ((i % 2 == 0) ? first : second).get(lockName());
				int node = i % 2;
				threads.add(inBackground(() -> enterWithoutPause(lock, shares, node)));
			}
			for (Future<Boolean> thread : threads) {
				assertThat(thread.get()).as("%s of %s entries", DECENT_SHARE, MOST_ENTRIES).isTrue();
			}
		}
	}

	private static boolean enterWithoutPause(DistributedLock lock, AtomicInteger[] shares, int node) {
		while (shares[0].get() + shares[1].get() < MOST_ENTRIES) {
			if (shares[0].get() >= DECENT_SHARE && shares[1].get() >= DECENT_SHARE) {
				return true;
			}
			lock.lock();
			shares[node].incrementAndGet();
			lock.unlock();
		}
		return false;
	}

	@Test
	void passesALockOnByOneStatement() throws Exception {
		LockGrant first = take(this.observedEngine);
		this.observed.executed().clear();
		LockGrant next = require(first.handOff(request(LEASE)));
		assertThat(this.observed.executed()).hasSize(1);
		assertThat(next.release(Duration.ZERO)).isEqualTo(LockGrant.Ownership.HELD);
	}

	@Test
	void raisesTheTokenThoughTheRowWasDeleted() throws Exception {
		LockGrant grant = take(this.engine);
		grant.release(Duration.ZERO);
		assertThat(database().sql().update("delete from idempotent_lock where name = ?", lockName())).isEqualTo(1);
		assertThat(take(this.otherEngine).token()).isGreaterThan(grant.token());
	}

	@Test
	void raisesTheTokenThoughTheRowComesFromABackup() throws Exception {
		LockGrant first = take(this.engine);
		first.release(Duration.ZERO);
		LockGrant second = take(this.engine);
		second.release(Duration.ZERO);
		database().sql().update("update idempotent_lock set token = ? where name = ?", first.token(), lockName());
		assertThat(take(this.otherEngine).token()).isGreaterThan(second.token());
	}

	@Test
	void raisesTheTokenAfterTheClockWasSetBack() throws Exception {
		LockGrant grant = take(this.engine);
		grant.release(Duration.ZERO);
		long ahead = grant.token() + Duration.ofDays(1).toNanos() / 1000;
		database().sql().update("update idempotent_lock set token = ? where name = ?", ahead, lockName());
		assertThat(take(this.otherEngine).token()).isEqualTo(ahead + 1);
	}

	@Test
	void goesOnWaitingThoughTheRowWasDeleted() throws Exception {
		take(this.engine);
		var waiting = inBackground(() -> this.otherEngine.acquire(request(LEASE), LockEngine.FOREVER));
		database().sql().update("delete from idempotent_lock where name = ?", lockName());
		assertThat(waiting.get()).isNotNull();
	}

	@Test
	void tellsNamesApartThatCollationsConfuse() throws Exception {
		String name = lockName();
		for (String other : new String[] { name + " ", name + "e", name + "é", name + "E", name + "ss", name + "ß" }) {
			take(this.engine, other);
		}
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNotNull();
	}

	@Test
	void countsLeasesAlikeInSessionsOfDifferentTimeZones() throws Exception {
		try (HikariDataSource east = pool(zone("+09:00")); HikariDataSource west = pool(zone("-09:00"))) {
			for (HikariDataSource[] nodes : new HikariDataSource[][] { { east, west }, { west, east } }) {
				LockGrant grant = take(new JdbcLockEngine(nodes[0]));
				assertThat(new JdbcLockEngine(nodes[1]).acquire(request(LEASE), Duration.ZERO)).isNull();
				assertThat(grant.renew(Duration.ofMillis(200))).isEqualTo(Ownership.HELD);
				LockGrant next = new JdbcLockEngine(nodes[1]).acquire(request(LEASE), Duration.ofSeconds(10));
				assertThat(require(next).release(Duration.ZERO)).isEqualTo(Ownership.HELD);
			}
		}
	}

	@Test
	void commitsOnConnectionsThatDoNotCommitByThemselves() throws Exception {
		HikariConfig config = database().config(1);
		config.setAutoCommit(false);
		try (HikariDataSource pool = new HikariDataSource(config)) {
			LockGrant grant = take(new JdbcLockEngine(pool));
			assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
			try (Connection connection = pool.getConnection()) {
				assertThat(connection.getAutoCommit()).isFalse();
			}
			assertThat(grant.release(Duration.ZERO)).isEqualTo(Ownership.HELD);
			take(this.otherEngine);
		}
	}

	@Test
	void hasNoPartInTheTransactionOfTheCaller() throws Exception {
		DataSource aware = new TransactionAwareDataSourceProxy(this.pool);
		JdbcLockEngine engine = new JdbcLockEngine(aware);
		LockGrant grant = new TransactionTemplate(new DataSourceTransactionManager(aware)).execute((status) -> {
			new JdbcTemplate(aware).update("insert into idempotent_transaction_lock values (?, 1)", lockName());
			status.setRollbackOnly();
			return take(engine);
		});
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(require(grant).release(Duration.ZERO)).isEqualTo(Ownership.HELD);
		assertThat(database().sql()
			.queryForList("select token from idempotent_transaction_lock where name = ?", lockName())).isEmpty();
	}

	@Test
	void releasesOnAnInterruptedThread() {
		LockGrant grant = take(this.observedEngine);
		this.pool.getHikariPoolMXBean().softEvictConnections();
		Thread.currentThread().interrupt();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(Ownership.HELD);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void repeatsWhatLosesToAnotherTransactionTwiceAtMost() throws Exception {
		take(this.engine).release(Duration.ZERO);
		try (HikariDataSource impatient = pool(database().shortLockTimeout()); Connection rival = lockRow()) {
			ObservedDataSource observed = new ObservedDataSource(impatient);
			JdbcLockEngine engine = new JdbcLockEngine(observed);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> take(engine))
				.withMessageContaining(lockName());
			assertThat(observed.executed()).filteredOn((sql) -> sql.contains("token")).hasSize(3);
			rival.rollback();
			observed.executed().clear();
			take(engine);
			assertThat(observed.executed()).hasSize(1);
		}
	}

	@Test
	void getsThroughWhenTheOtherTransactionHasEnded() throws Exception {
		take(this.engine).release(Duration.ZERO);
		try (HikariDataSource impatient = pool(database().shortLockTimeout()); Connection rival = lockRow()) {
			ObservedDataSource observed = new ObservedDataSource(impatient);
			observed.beforeEach((count) -> {
				if (count == 2) {
					rollback(rival);
				}
			});
			take(new JdbcLockEngine(observed));
			assertThat(observed.executed()).hasSize(2);
		}
	}

	@Test
	void saysWhichTableIsMissingAndHowToCreateIt() {
		JdbcLockEngine engine = new JdbcLockEngine(this.pool, "no_such_table", TIMEOUT);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> take(engine))
			.withMessageContainingAll("no_such_table", "idempotent.lock.jdbc.initialize-schema");
	}

	/**
	 * Keeps the row of the lock in a transaction.
	 */
	protected final Connection lockRow() throws Exception {
		Connection connection = database().dataSource().getConnection();
		connection.setAutoCommit(false);
		try (var statement = connection.prepareStatement("update idempotent_lock set token = token where name = ?")) {
			statement.setString(1, lockName());
			statement.executeUpdate();
		}
		return connection;
	}

	private static void rollback(Connection connection) {
		try {
			connection.rollback();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private HikariDataSource pool(String initially) {
		HikariConfig config = database().config(4);
		config.setConnectionInitSql(initially);
		return new HikariDataSource(config);
	}

	private String zone(String offset) {
		return database().timeZone().formatted(offset);
	}

	protected final LockGrant take(LockEngine engine) {
		return take(engine, lockName());
	}

	private static LockGrant take(LockEngine engine, String name) {
		try {
			return require(engine.acquire(new LockRequest(name, LEASE, false), Duration.ZERO));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
