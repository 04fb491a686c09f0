package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Stream;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.MultiLock;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.support.DaemonThreads;

/**
 * The locks of this node on one or more engines. Two instances in one JVM exclude each
 * other as two nodes do. After {@link #close()} a lock that is still held ends with its
 * lease, no lock can be acquired, threads that wait in this JVM get a
 * {@link io.idempotent.lock.LockUnavailableException}, and the engines stay open, except
 * for one around engines.
 */
public final class EngineDistributedLocks implements DistributedLocks, AutoCloseable {

	private static final String HEALTH_LOCK = "idempotent-health";

	private final LockNames names;

	private final Duration lease;

	private final LockOptions.Settings settings;

	private final EngineSelection engines;

	private final ScheduledExecutorService scheduler;

	private final ExecutorService notifier;

	private final ThreadLocks locks;

	/** Creates locks that nothing observes, and whose names have no prefix. */
	public EngineDistributedLocks(List<LockEngine> engines, Duration lease, List<LockListener> listeners) {
		this(engines, lease, LockOptions.Settings.NONE, listeners, "", LockObserver.NONE);
	}

	/**
	 * The engines are in order of preference. The lease is that of options without one.
	 * The prefix comes before each name at the engines: applications with different
	 * prefixes never exclude each other.
	 */
	public EngineDistributedLocks(List<LockEngine> engines, Duration lease, LockOptions.Settings settings,
			List<LockListener> listeners, String prefix, LockObserver observer) {
		LockOptions.DEFAULTS.withLease(lease);
		this.names = new LockNames(prefix);
		this.lease = lease;
		this.settings = settings;
		LockListeners notifications = new LockListeners(listeners);
		this.scheduler = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idempotent-lock-sweeper"));
		this.notifier = notifications.notifier();
		this.engines = new EngineSelection(engines, (engine) -> new LeaseMonitor(engine, notifications, this.scheduler,
				this.notifier, DaemonThreads.workers("idempotent-lock-" + engine.name(), engine.renewalsAtOnce())));
		this.locks = new ThreadLocks(this.engines, notifications, observer);
	}

	@Override
	public DistributedLock get(String name, LockOptions options) {
		return lock(name, options);
	}

	@Override
	public DistributedReadWriteLock readWrite(String name, LockOptions options) {
		return new ReadWriteLocks(get(name, options.withMode(LockMode.READ)),
				get(name, options.withMode(LockMode.WRITE)));
	}

	private EngineLock lock(String name, LockOptions declared) {
		LockOptions options = this.settings.options(this.names.require(name), declared);
		this.engines.engine(options).requireSupport(options.mode());
		return handle(name, options);
	}

	/** The options are those of the lock, with its settings. */
	private EngineLock handle(String name, LockOptions options) {
		return new EngineLock(name, this.names.qualified(name), options,
				(options.lease() != null) ? options.lease() : this.lease, this.locks);
	}

	@Override
	public MultiLock all(Collection<String> names, LockOptions options) {
		if (names.isEmpty()) {
			throw new IllegalArgumentException("There is no name to lock");
		}
		List<EngineLock> locks = new ArrayList<>(names.size());
		for (String name : new TreeSet<>(names)) {
			locks.add(lock(name, options));
		}
		return new EngineMultiLock(locks);
	}

	@Override
	public Optional<DistributedLock> current() {
		List<DistributedLock> held = held();
		return held.isEmpty() ? Optional.empty() : Optional.of(held.get(held.size() - 1));
	}

	@Override
	public List<DistributedLock> held() {
		List<HeldLock> held = this.locks.heldByCurrentThread();
		return held.isEmpty() ? List.of()
				: held.stream().<DistributedLock>map((each) -> handle(each.name(), each.options())).toList();
	}

	@Override
	public String engineInForce() {
		return this.engines.inForce().name();
	}

	@Override
	public List<String> engines() {
		return this.engines.names();
	}

	/**
	 * Takes a probe lock, which ends with the lease if its release is lost. Blocks for as
	 * long as the engine does, and throws if it is unavailable.
	 */
	public void check(Duration lease) throws InterruptedException {
		LockGrant grant = this.engines.inForce()
			.acquire(new LockRequest(this.names.qualified(HEALTH_LOCK), lease, false), Duration.ZERO);
		if (grant != null) {
			grant.release(Duration.ZERO);
		}
	}

	/** What all threads of this node hold. */
	public Stream<HeldLock> heldByNode() {
		return this.engines.monitors().flatMap(LeaseMonitor::held);
	}

	/** The threads of this node that wait. */
	public Collection<QueuedRequest> waiting() {
		return this.locks.acquisition().waiting();
	}

	public EngineSelection selection() {
		return this.engines;
	}

	@Override
	public String engineOf(String name, LockOptions options) {
		return engine(name, options).name();
	}

	/** The engine of a lock whose code names none. Refuses an invalid name. */
	public LockEngine engineOf(String name) {
		return engine(this.names.require(name), LockOptions.DEFAULTS);
	}

	private LockEngine engine(String name, LockOptions declared) {
		return this.engines.engine(this.settings.options(name, declared));
	}

	/** The name of a lock at the engines. Refuses an invalid name. */
	public String qualified(String name) {
		return this.names.qualified(this.names.require(name));
	}

	/** How many locks the threads of this node hold or wait for. */
	public int namesInUse() {
		return this.locks.acquisition().namesInUse();
	}

	@Override
	public void close() {
		this.locks.acquisition().close();
		LockEngine inForce = this.engines.inForce();
		if (!inForce.engines().isEmpty()) {
			inForce.close();
		}
		this.scheduler.shutdownNow();
		this.engines.monitors().forEach(LeaseMonitor::close);
		this.notifier.shutdown();
	}

	private record ReadWriteLocks(DistributedLock readLock,
			DistributedLock writeLock) implements DistributedReadWriteLock {
	}

}
