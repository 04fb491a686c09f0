package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What holders of leases learn when the network or the server fails.
 */
@Tag("slow")
@Timeout(120)
class PostgresOutageTests {

	private static final Duration LEASE = Duration.ofSeconds(4);

	@AutoClose
	private static TestPostgres postgres;

	private static TestDatabase database;

	private final String name = "outage:" + Long.toHexString(ThreadLocalRandom.current().nextLong());

	private final List<LockEvent.Type> told = new CopyOnWriteArrayList<>();

	private final FaultyProxy network = new FaultyProxy("127.0.0.1", postgres.port());

	private final HikariDataSource pool = database
		.at(postgres.url().replace(":" + postgres.port(), ":" + this.network.port()))
		.pool(4);

	private final HikariDataSource otherPool = database.pool(4);

	private final ObservedDataSource observed = new ObservedDataSource(this.pool);

	private final EngineDistributedLocks locks = new EngineDistributedLocks(
			List.of(new JdbcLockEngine(this.observed, JdbcLockEngine.DEFAULT_TABLE, Duration.ofSeconds(1), "")), LEASE,
			List.of((event) -> this.told.add(event.type())));

	private final EngineDistributedLocks otherLocks = new EngineDistributedLocks(
			List.of(new JdbcLockEngine(this.otherPool)), LEASE, List.of());

	private final DistributedLock lock = this.locks.get(this.name);

	private final DistributedLock otherLock = this.otherLocks.get(this.name);

	@BeforeAll
	static void start() {
		postgres = TestPostgres.start();
		database = TestDatabase.postgresql(postgres.url());
	}

	@BeforeEach
	void insertTheRow() {
		this.lock.lock();
		this.lock.unlock();
		this.told.clear();
	}

	@AfterEach
	void stop() {
		this.network.close();
		this.locks.close();
		this.otherLocks.close();
		this.pool.close();
		this.otherPool.close();
	}

	@Test
	void releasesAGrantWhoseReplyWasLost() {
		this.observed.before(1, this.network::dropNextReply);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.lock::lock)
			.withMessageContaining(this.name);
		assertThat(this.otherLock.tryLock()).as("no orphan").isTrue();
		this.otherLock.unlock();
	}

	@Test
	void anOrphanLivesNoLongerThanItsLease() throws Exception {
		this.observed.before(1, this.network::freezeReplies);
		this.observed.before(2, this.network::partition);
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(this.locks.get(this.name, LockOptions.DEFAULTS.withLease(Duration.ofSeconds(30)))::lock)
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasSize(1));
		assertThat(this.otherLock.tryLock()).as("an orphan").isFalse();
		database.sql().update("update idempotent_lock set expires_at = clock_timestamp() where name = ?", this.name);
		assertThat(this.otherLock.tryLock()).isTrue();
		this.otherLock.unlock();
	}

	@Test
	void givesUpOnASilentServerInsteadOfWaitingForEver() {
		this.network.freeze();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.lock::tryLock);
		this.network.thaw();
	}

	@Test
	void aReleaseWithoutAResponseIsNoLoss() throws Exception {
		this.lock.lock();
		this.observed.before(1, this.network::dropNextReply);
		this.lock.unlock();
		assertThat(this.otherLock.tryLock(10, TimeUnit.SECONDS)).isTrue();
		await().untilAsserted(() -> assertThat(this.observed.executed()).hasSize(2));
		assertThat(this.otherLock.isValid()).as("untouched by the repetition").isTrue();
		this.otherLock.unlock();
		assertThat(this.told).containsExactly(LockEvent.Type.OBTAINED, LockEvent.Type.RELEASE_DELAYED,
				LockEvent.Type.RELEASED);
	}

	@Test
	void noticesTheLossBeforeTheNextGrant() throws Exception {
		this.lock.lock();
		long token = this.lock.fencingToken();
		this.network.freeze();
		assertThat(this.otherLock.tryLock(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.lock.isValid()).isFalse();
		assertThat(this.otherLock.fencingToken()).isGreaterThan(token);
		await().untilAsserted(() -> assertThat(this.told).contains(LockEvent.Type.LOST));
		this.network.thaw();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
		assertThat(this.otherLock.isValid()).isTrue();
		this.otherLock.unlock();
	}

	@Test
	void keepsLeaseAndTokenThroughTheDeathOfTheServer() {
		DistributedLock longer = this.locks.get(this.name, LockOptions.DEFAULTS.withLease(Duration.ofSeconds(24)));
		longer.lock();
		long token = longer.fencingToken();
		postgres.kill();
		await().atMost(Duration.ofSeconds(40))
			.untilAsserted(() -> assertThat(this.told).endsWith(LockEvent.Type.SUSPECT));
		postgres.restart();
		await().atMost(Duration.ofSeconds(40))
			.untilAsserted(() -> assertThat(this.told).endsWith(LockEvent.Type.RESUMED));
		assertThat(this.otherLock.tryLock()).isFalse();
		longer.unlock();
		assertThat(this.otherLock.tryLock()).isTrue();
		assertThat(this.otherLock.fencingToken()).isGreaterThan(token);
		this.otherLock.unlock();
	}

}
