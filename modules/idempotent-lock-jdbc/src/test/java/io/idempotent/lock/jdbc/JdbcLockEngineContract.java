package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.UtilityElf;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.ObservedDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What rows with leases promise beyond what every lock engine promises.
 */
abstract class JdbcLockEngineContract extends JdbcTurnContract {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

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
	void showsTheNodeOfAHolder() throws Exception {
		JdbcLockEngine named = new JdbcLockEngine(this.pool, JdbcLockEngine.DEFAULT_TABLE, TIMEOUT, "n".repeat(64));
		LockGrant writer = take(named);
		assertThat(this.engine.inspect(lockName()).holders()).singleElement().satisfies((holder) -> {
			assertThat(holder.node()).isEqualTo("n".repeat(64));
			assertThat(holder.token()).isEqualTo(writer.token());
		});
		assertThat(named.inspect(lockName()).holders().get(0).thisNode()).isTrue();
		writer.release(Duration.ZERO);
		LockGrant reader = require(named.acquire(request(LEASE).withMode(LockMode.READ), Duration.ZERO));
		assertThat(this.engine.inspect(lockName()).holders()).singleElement()
			.extracting(LockHolder::node)
			.isEqualTo("n".repeat(64));
		reader.release(Duration.ZERO);
		assertThat(this.engine.inspect(lockName()).lastToken()).isEqualTo(writer.token());
	}

	@Test
	void showsAndReleasesALockThatIsKept() throws Exception {
		take(this.engine).release(LEASE);
		assertThat(this.otherEngine.inspect(lockName()).holders()).singleElement()
			.extracting(LockHolder::owner)
			.isNull();
		assertThat(this.otherEngine.forceRelease(lockName())).isTrue();
		take(this.engine).release(Duration.ZERO);
	}

	@Test
	void inspectsByOneStatement() throws Exception {
		take(this.engine).release(Duration.ZERO);
		this.observed.executed().clear();
		this.observedEngine.inspect(lockName());
		assertThat(this.observed.executed()).singleElement().asString().startsWith("select");
	}

	@Test
	void sharingTakesTwoOrThreeStatements() throws Exception {
		take(this.engine).release(Duration.ZERO);
		LockRequest request = request(LEASE).withMode(LockMode.READ);
		LockGrant reader = require(this.observedEngine.acquire(request, Duration.ZERO));
		assertThat(statements()).hasSize(2);
		reader.renew(LEASE);
		assertThat(statements()).hasSize(4);
		reader.release(Duration.ZERO);
		assertThat(statements()).hasSize(7);
	}

	private List<String> statements() {
		return this.observed.executed()
			.stream()
			.filter((sql) -> !sql.equals("commit") && !sql.equals("setAutoCommit"))
			.toList();
	}

	@Test
	void removesReadersThatHaveDied() throws Exception {
		LockRequest request = request(Duration.ofMillis(1)).withMode(LockMode.READ);
		require(this.engine.acquire(request, Duration.ZERO));
		LockGrant reader = require(this.otherEngine.acquire(request(LEASE).withMode(LockMode.READ), Duration.ZERO));
		TimeUnit.MILLISECONDS.sleep(5);
		reader.release(Duration.ZERO);
		assertThat(database().sql()
			.queryForObject("select count(*) from idempotent_lock_reader where name = ?", Integer.class, lockName()))
			.isZero();
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
	void passesALockOnByOneStatement() throws Exception {
		LockGrant first = take(this.observedEngine);
		this.observed.executed().clear();
		LockGrant next = require(first.handOff(request(LEASE)));
		assertThat(this.observed.executed()).hasSize(1);
		assertThat(next.release(Duration.ZERO)).isEqualTo(LockGrant.GrantState.HELD);
	}

	@Test
	void raisesTheTokenAfterTheRowWasDeleted() throws Exception {
		LockGrant grant = take(this.engine);
		grant.release(Duration.ZERO);
		assertThat(database().sql().update("delete from idempotent_lock where name = ?", lockName())).isEqualTo(1);
		assertThat(take(this.otherEngine).token()).isGreaterThan(grant.token());
	}

	@Test
	void raisesTheTokenAfterTheRowWasRestoredFromABackup() throws Exception {
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
	void keepsWaitingAfterTheRowWasDeleted() throws Exception {
		take(this.engine);
		var waiting = inBackground(() -> this.otherEngine.acquire(request(LEASE), LockEngine.FOREVER));
		database().sql().update("delete from idempotent_lock where name = ?", lockName());
		assertThat(waiting.get()).isNotNull();
	}

	@Test
	void distinguishesNamesThatCollationsConsiderEqual() throws Exception {
		String name = lockName();
		for (String other : new String[] { name + " ", name + "e", name + "é", name + "E", name + "ss", name + "ß" }) {
			take(this.engine, other);
		}
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNotNull();
	}

	@Test
	void ignoresTheTimeZoneOfASession() throws Exception {
		try (HikariDataSource east = pool(zone("+09:00")); HikariDataSource west = pool(zone("-09:00"))) {
			for (HikariDataSource[] nodes : new HikariDataSource[][] { { east, west }, { west, east } }) {
				LockGrant grant = take(new JdbcLockEngine(nodes[0]));
				assertThat(new JdbcLockEngine(nodes[1]).acquire(request(LEASE), Duration.ZERO)).isNull();
				assertThat(grant.renew(Duration.ofMillis(200))).isEqualTo(GrantState.HELD);
				LockGrant next = new JdbcLockEngine(nodes[1]).acquire(request(LEASE), Duration.ofSeconds(10));
				assertThat(require(next).release(Duration.ZERO)).isEqualTo(GrantState.HELD);
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
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			take(this.otherEngine);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE" })
	void noReaderFailsWhateverTheIsolationOfThePool(String isolation) throws Exception {
		HikariConfig config = database().config(8);
		config.setTransactionIsolation(isolation);
		try (HikariDataSource pool = new HikariDataSource(config)) {
			JdbcLockEngine strict = new JdbcLockEngine(pool);
			List<Future<Boolean>> readers = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				readers.add(inBackground(() -> readRepeatedly(strict)));
			}
			for (Future<Boolean> reader : readers) {
				assertThat(reader.get()).isTrue();
			}
			try (Connection connection = pool.getConnection()) {
				assertThat(connection.getTransactionIsolation())
					.isEqualTo(UtilityElf.getTransactionIsolation(isolation));
			}
		}
	}

	private boolean readRepeatedly(LockEngine node) throws InterruptedException {
		boolean held = true;
		for (int i = 0; i < 30; i++) {
			LockGrant reader = require(node.acquire(request(LEASE).withMode(LockMode.READ), LockEngine.FOREVER));
			held &= reader.renew(LEASE) == GrantState.HELD;
			held &= reader.release(Duration.ZERO) == GrantState.HELD;
		}
		return held;
	}

	@Test
	void hasNoPartInTheTransactionOfTheCaller() throws Exception {
		assertHasNoPartInTheTransactionOfTheCaller(UnaryOperator.identity());
	}

	@Test
	void aWrapperMakesItNoPartOfTheTransactionOfTheCaller() throws Exception {
		assertHasNoPartInTheTransactionOfTheCaller(DelegatingDataSource::new);
	}

	private void assertHasNoPartInTheTransactionOfTheCaller(UnaryOperator<DataSource> wrapper) throws Exception {
		DataSource aware = new TransactionAwareDataSourceProxy(this.pool);
		JdbcLockEngine engine = new JdbcLockEngine(wrapper.apply(aware));
		LockGrant grant = new TransactionTemplate(new DataSourceTransactionManager(aware)).execute((status) -> {
			new JdbcTemplate(aware).update("insert into idempotent_transaction_lock values (?, 1)", lockName());
			status.setRollbackOnly();
			return take(engine);
		});
		assertThat(this.otherEngine.acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(require(grant).release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(database().sql()
			.queryForList("select token from idempotent_transaction_lock where name = ?", lockName())).isEmpty();
	}

	@Test
	void releasesOnAnInterruptedThread() {
		LockGrant grant = take(this.observedEngine);
		this.pool.getHikariPoolMXBean().softEvictConnections();
		Thread.currentThread().interrupt();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void retriesAfterAConflictAtMostTwice() throws Exception {
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
	void succeedsWhenTheOtherTransactionHasEnded() throws Exception {
		take(this.engine).release(Duration.ZERO);
		try (HikariDataSource impatient = pool(database().shortLockTimeout()); Connection rival = lockRow()) {
			ObservedDataSource observed = new ObservedDataSource(impatient);
			observed.before(2, rival::rollback);
			take(new JdbcLockEngine(observed));
			assertThat(observed.executed()).hasSize(2);
		}
	}

	@Test
	void namesTheWayOutOfAPoolWithoutAFreeConnection() throws Exception {
		HikariConfig config = database().config(1);
		config.setConnectionTimeout(250);
		try (HikariDataSource small = new HikariDataSource(config); Connection held = small.getConnection()) {
			assertThat(held.isClosed()).isFalse();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> take(new JdbcLockEngine(small)))
				.withMessageContaining("a DataSource of their own");
		}
	}

	@Test
	void saysWhichTableIsMissingAndHowToCreateIt() {
		JdbcLockEngine engine = new JdbcLockEngine(this.pool, "no_such_table", TIMEOUT, "");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> take(engine))
			.withMessageContainingAll("no_such_table", "idempotent.initialize-schema");
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

	private HikariDataSource pool(String initially) {
		HikariConfig config = database().config(4);
		config.setConnectionInitSql(initially);
		return new HikariDataSource(config);
	}

	private String zone(String offset) {
		return database().timeZone().formatted(offset);
	}

}
