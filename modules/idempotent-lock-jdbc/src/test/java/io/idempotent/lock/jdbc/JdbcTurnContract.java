package io.idempotent.lock.jdbc;

import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What every lock engine promises, and that nodes take turns.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class JdbcTurnContract extends LockEngineContract {

	protected static final Duration LEASE = Duration.ofSeconds(30);

	private final Map<LockEngine, HikariDataSource> pools = new HashMap<>();

	@AutoClose
	protected final HikariDataSource pool = database().pool(4);

	protected final ObservedDataSource observed = new ObservedDataSource(this.pool);

	protected final JdbcLockEngine observedEngine = new JdbcLockEngine(this.observed);

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

	@Test
	void looksAtATakenLockWithoutChangingAnythingAtFirst() throws Exception {
		LockGrant grant = take(this.engine);
		assertThat(this.observedEngine.acquire(request(LEASE), Duration.ofMillis(200))).isNull();
		assertThat(this.observed.executed().get(0)).startsWith("update");
		assertThat(this.observed.executed().subList(1, this.observed.executed().size())).isNotEmpty()
			.allSatisfy((sql) -> assertThat(sql).startsWith("select"));
		grant.release(Duration.ZERO);
	}

	@Test
	void reservesTheNextTurnUntilItGivesUp() throws Exception {
		LockGrant grant = take(this.engine);
		Future<LockGrant> waiting = inBackground(
				() -> this.observedEngine.acquire(request(LEASE), Duration.ofSeconds(2)));
		await().until(() -> waiter() != null);
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
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
		assertThat(grant.renew(Duration.ofMillis(800))).isEqualTo(GrantState.HELD);
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
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
		this.observed.before(1, () -> {
			throw new SQLException("broken");
		});
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(waiting::get)
			.withCauseInstanceOf(LockUnavailableException.class);
		assertThat(waiter()).isNull();
		grant.release(Duration.ZERO);
	}

	@Test
	void keepsItsTurnWhenItsPoolIsInterrupted() throws Exception {
		LockGrant grant = take(this.engine);
		AtomicBoolean interrupted = new AtomicBoolean(true);
		JdbcLockEngine refused = new JdbcLockEngine(ObservedDataSource.beforeConnections(this.pool, () -> {
			if (interrupted.compareAndSet(false, true)) {
				Thread.currentThread().interrupt();
				throw new SQLException("interrupted");
			}
		}));
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
		BusyNodes nodes = new BusyNodes();
		try (EngineDistributedLocks first = new EngineDistributedLocks(List.of(this.engine), LEASE, List.of());
				EngineDistributedLocks second = new EngineDistributedLocks(List.of(this.otherEngine), LEASE,
						List.of())) {
			List<Future<?>> threads = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				int node = i % 2;
				DistributedLock lock = ((node == 0) ? first : second).get(lockName());
				threads.add(inBackground(() -> {
					nodes.enter(node, lock);
					return null;
				}));
			}
			for (Future<?> thread : threads) {
				thread.get();
			}
		}
		assertThat(nodes.turns()).isGreaterThanOrEqualTo(BusyNodes.TURNS);
	}

	@Test
	void handsNothingOverWhileTheNextTurnIsReserved() throws Exception {
		LockGrant grant = take(this.engine);
		Future<LockGrant> waiting = inBackground(() -> this.otherEngine.acquire(request(LEASE), LockEngine.FOREVER));
		await().until(() -> waiter() != null);
		assertThat(grant.handOff(request(LEASE))).isNull();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		require(waiting.get()).release(Duration.ZERO);
	}

	@Test
	void keepsItsTurnEvenIfTheNextOneIsReserved() throws Exception {
		LockGrant grant = take(this.engine);
		database().sql().update("update idempotent_lock set turn_until = expires_at where name = ?", lockName());
		Future<LockGrant> waiting = inBackground(() -> this.otherEngine.acquire(request(LEASE), LockEngine.FOREVER));
		await().until(() -> waiter() != null);
		LockGrant next = require(grant.handOff(request(LEASE)));
		database().sql().update("update idempotent_lock set turn_until = null where name = ?", lockName());
		assertThat(next.handOff(request(LEASE))).isNull();
		next.release(Duration.ZERO);
		require(waiting.get()).release(Duration.ZERO);
	}

	@Test
	void looksAtALockHeldForLongAFewTimesASecond() throws Exception {
		LockGrant grant = take(this.engine);
		Future<LockGrant> waiting = inBackground(
				() -> this.observedEngine.acquire(request(LEASE), Duration.ofSeconds(1)));
		assertThat(waiting.get()).isNull();
		assertThat(this.observed.executed()).hasSizeLessThan(100);
		grant.release(Duration.ZERO);
	}

	protected final LockGrant take(LockEngine engine) {
		return take(engine, lockName());
	}

	protected static LockGrant take(LockEngine engine, String name) {
		return Unchecked.call(() -> require(engine.acquire(new LockRequest(name, LEASE, false), Duration.ZERO)));
	}

}
