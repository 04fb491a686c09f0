package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.EngineDistributedLocks;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the library relies on in every {@link LockEngine}, alone and below a
 * {@link DistributedLock}. The test class of an engine extends it, and runs all tests
 * below:
 *
 * <pre>
 * class MyLockEngineTests extends LockEngineContract {
 *
 * 	&#64;Override
 * 	protected LockEngine node() {
 * 		return new MyLockEngine(connect(server));
 * 	}
 *
 * }
 * </pre>
 *
 * <p>
 * Two nodes are two clients of the same servers. An engine that works within one JVM
 * returns the same engine twice. Lock names are random, so several tests may use a server
 * at once. Tests of optional features are skipped, or relaxed, as the methods below
 * declare. Not covered is what depends on the technology: time-outs, lost connections
 * ({@link io.idempotent.lock.LockUnavailableException}) and what the engine reports to a
 * {@link io.idempotent.lock.engine.ConnectionObserver}. The tests of shared locks are
 * skipped for an engine that does not {@linkplain LockEngine#supports support} them, and
 * those of operators for one that throws an {@link UnsupportedOperationException} when it
 * is asked about a lock.
 *
 * <p>
 * The set of tests may grow in any release. An engine that passed may then fail, because
 * it never kept that promise.
 */
@Timeout(120)
public abstract class LockEngineContract {

	static final Duration LEASE = Duration.ofSeconds(3);

	private static final Duration COMPENSATION = Duration.ofMillis(2500);

	private static final Duration POLL = Duration.ofMillis(50);

	private final String name = "contract:" + Long.toHexString(ThreadLocalRandom.current().nextLong());

	private final List<LockEvent> events = new ArrayList<>();

	final ExecutorService threads = Executors.newCachedThreadPool();

	/** The engine of one node, for tests that a subclass adds. */
	protected LockEngine engine;

	/** The engine of the other node, for tests that a subclass adds. */
	protected LockEngine otherEngine;

	EngineDistributedLocks locks;

	EngineDistributedLocks otherLocks;

	/**
	 * Returns another client of the servers under test. Called twice before each test;
	 * {@link #close(LockEngine)} closes what it opens.
	 */
	protected abstract LockEngine node();

	/** Closes a client. A subclass also closes here what it opened for the client. */
	protected void close(LockEngine engine) {
		engine.close();
	}

	/** Whether leases end that a living holder does not renew; by default they do. */
	protected boolean leasesEndByThemselves() {
		return true;
	}

	/** Whether {@link LockGrant#handOff} passes a grant on; {@code true} by default. */
	protected boolean passesOn() {
		return true;
	}

	/** Whether a fair lock serves waiting nodes in order; {@code false} by default. */
	protected boolean takesTurns() {
		return false;
	}

	@BeforeEach
	void start() {
		this.engine = node();
		this.otherEngine = node();
		this.locks = locks(this.engine);
		this.otherLocks = locks(this.otherEngine);
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.locks.close();
		this.otherLocks.close();
		close(this.engine);
		close(this.otherEngine);
	}

	EngineDistributedLocks locks(LockEngine engine) {
		return new EngineDistributedLocks(List.of(engine), LEASE, List.of(this::remember));
	}

	private void remember(LockEvent event) {
		synchronized (this.events) {
			this.events.add(event);
		}
	}

	List<LockEvent.Type> events() {
		synchronized (this.events) {
			return this.events.stream().map(LockEvent::type).toList();
		}
	}

	/** The name of the lock of this test, which no other test uses. */
	protected final String lockName() {
		return this.name;
	}

	/** A request for the lock of this test, which an interrupt ends. */
	protected final LockRequest request(Duration lease) {
		return new LockRequest(this.name, lease, false);
	}

	/** Runs a task on another thread, which is interrupted when the test ends. */
	protected final <T extends @Nullable Object> Future<T> inBackground(Callable<T> task) {
		return this.threads.submit(task);
	}

	/**
	 * Asserts that the lock of this test is free at once, or when a compensating release
	 * has arrived.
	 * @throws InterruptedException if the thread is interrupted
	 */
	protected final void assertFree() throws InterruptedException {
		long end = System.nanoTime() + COMPENSATION.toNanos();
		LockGrant grant = this.otherEngine.acquire(request(LEASE), Duration.ZERO);
		while (grant == null && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(POLL.toNanos());
			grant = this.otherEngine.acquire(request(LEASE), Duration.ZERO);
		}
		require(grant).release(Duration.ZERO);
	}

	/** Asserts that a lock was granted, and returns the grant. */
	protected static LockGrant require(@Nullable LockGrant grant) {
		assertThat(grant).as("grant").isNotNull();
		return Objects.requireNonNull(grant);
	}

	@Nested
	class Grants extends LockGrantTests {

		Grants() {
			super(LockEngineContract.this);
		}

	}

	@Nested
	class Waiting extends LockWaitTests {

		Waiting() {
			super(LockEngineContract.this);
		}

	}

	@Nested
	class Locks extends DistributedLockTests {

		Locks() {
			super(LockEngineContract.this);
		}

	}

	@Nested
	class Administration extends LockAdministrationTests {

		Administration() {
			super(LockEngineContract.this);
		}

	}

	@Nested
	class SharedGrants extends SharedGrantTests {

		SharedGrants() {
			super(LockEngineContract.this);
		}

	}

	@Nested
	class SharedWaiting extends SharedWaitTests {

		SharedWaiting() {
			super(LockEngineContract.this);
		}

	}

	@Nested
	class ReadWriteLocks extends ReadWriteLockTests {

		ReadWriteLocks() {
			super(LockEngineContract.this);
		}

	}

}
