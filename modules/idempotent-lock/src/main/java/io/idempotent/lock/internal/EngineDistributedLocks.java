package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.MultiLock;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.LockIntervention;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.SwitchableEngine;
import io.idempotent.lock.internal.acquire.ThreadLocks;
import io.idempotent.lock.internal.hold.EngineSelection;
import io.idempotent.lock.internal.hold.HeldLock;
import io.idempotent.lock.internal.hold.LeaseMonitor;
import io.idempotent.lock.internal.hold.LockListeners;
import io.idempotent.lock.internal.queue.LocalLockQueues;
import io.idempotent.support.DaemonThreads;

/**
 * The locks of this node on one or more engines. Two instances in one JVM exclude each
 * other as two nodes do. After {@link #close()} leases are no longer renewed: a lock that
 * is still held ends with its lease. No lock can be acquired any more, and threads that
 * wait in this JVM get a {@link io.idempotent.lock.LockUnavailableException}. The engines
 * stay open.
 */
public final class EngineDistributedLocks implements DistributedLocks, AutoCloseable {

	private static final String HEALTH_LOCK = "idempotent-health";

	private final LockNames names;

	private final LockDefaults defaults;

	private final EngineSelection engines;

	private final ScheduledExecutorService scheduler;

	private final ThreadPoolExecutor notifier;

	private final LocalLockQueues queues = new LocalLockQueues();

	private final ThreadLocks locks;

	/**
	 * Creates locks that nothing observes, and whose names have no prefix at the engines.
	 * @param engines the engines, in order of preference
	 * @param defaults apply to what the options of a lock leave open
	 * @param listeners are notified of all events
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults defaults, List<LockListener> listeners) {
		this(engines, defaults, listeners, "", LockObserver.NONE);
	}

	/**
	 * Creates locks.
	 * @param engines the engines, in order of preference; or a {@link SwitchableEngine}
	 * alone, which is closed together with the locks
	 * @param defaults apply to what the options of a lock leave open
	 * @param listeners are notified of all events
	 * @param prefix comes before each name at the engines; applications with different
	 * prefixes never exclude each other
	 * @param observer observes acquisitions
	 * @throws IllegalArgumentException if a lock name cannot begin with the prefix, there
	 * is no engine, or there are two of a name
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults defaults, List<LockListener> listeners,
			String prefix, LockObserver observer) {
		this.names = new LockNames(prefix);
		this.defaults = defaults;
		LockListeners notifications = new LockListeners(listeners);
		this.scheduler = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idempotent-lock-sweeper"));
		this.notifier = new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				DaemonThreads.named("idempotent-lock-events"), (task, executor) -> task.run());
		this.notifier.allowCoreThreadTimeOut(true);
		this.engines = new EngineSelection(engines,
				(engine) -> new LeaseMonitor(engine, notifications, this.queues, this.scheduler, this.notifier));
		this.locks = new ThreadLocks(this.engines, this.queues, notifications, observer);
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

	private EngineLock lock(String name, LockOptions options) {
		this.engines.engine(options).requireSupport(options.mode());
		return handle(this.names.require(name), options);
	}

	private EngineLock handle(String name, LockOptions options) {
		return new EngineLock(name, this.names.qualified(name), options, this.defaults, this.locks);
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
		return this.locks.heldByCurrentThread()
			.stream()
			.<DistributedLock>map((held) -> handle(held.name(), held.options()))
			.toList();
	}

	@Override
	public String currentEngine() {
		return this.engines.first().name();
	}

	@Override
	public List<String> engines() {
		return this.engines.names();
	}

	@Override
	public EngineStatus engineStatus() {
		SwitchableEngine switchable = this.engines.switchable();
		return (switchable != null) ? switchable.status() : new EngineStatus(currentEngine(), 1, null, List.of());
	}

	@Override
	public String switchEngine() {
		List<String> names = requireSwitchable().targets();
		int index = names.indexOf(currentEngine());
		return switchEngine(names.get((index + 1) % names.size()));
	}

	@Override
	public String switchEngine(String engine) {
		this.engines.find(engine);
		SwitchableEngine switched = requireSwitchable();
		if (!switched.targets().contains(engine)) {
			throw new IllegalArgumentException("Locks cannot be switched to the engine '" + engine + "', only to "
					+ switched.targets() + ": it is for locks whose options name it");
		}
		List<HeldLock> held = this.locks.heldByCurrentThread();
		if (!held.isEmpty()) {
			throw new IllegalStateException("The current thread holds the lock '" + held.get(0).name()
					+ "', for whose release a switch of engines would wait: release it first");
		}
		switched.switchTo(engine);
		return engine;
	}

	@Override
	public boolean cancelSwitch() {
		return requireSwitchable().cancelSwitch();
	}

	private SwitchableEngine requireSwitchable() {
		SwitchableEngine switchable = this.engines.switchable();
		if (switchable == null) {
			throw new UnsupportedOperationException("Locks stay on the engine '" + currentEngine()
					+ "': switching is not enabled. Name several engines in idempotent.lock.engines, and set "
					+ "idempotent.lock.switching.enabled=true on all nodes");
		}
		return switchable;
	}

	/**
	 * Requests a probe lock from the engine in force, and releases it. Blocks for as long
	 * as the engine does.
	 * @param lease how long that lock lives if its release is lost
	 * @return {@code false} if the engine was not called, since the nodes are switching
	 * to another one
	 * @throws InterruptedException if the thread is interrupted
	 * @throws io.idempotent.lock.LockUnavailableException if the engine fails, or the
	 * authority for the engine in force
	 */
	public boolean check(Duration lease) throws InterruptedException {
		LockGrant grant = this.engines.first()
			.acquire(new LockRequest(this.names.qualified(HEALTH_LOCK), lease, false), Duration.ZERO);
		if (grant != null) {
			grant.release(Duration.ZERO);
		}
		return grant != null || !engineStatus().isSwitching();
	}

	/**
	 * Creates the administration of these locks for operators.
	 * @param listener is called after each intervention, on the thread that made it
	 * @return the administration, with interventions of its own
	 */
	public LockAdministration administration(Consumer<LockIntervention> listener) {
		LocalLocks local = new LocalLocks(this.engines, this.locks);
		return new EngineLockAdministration(this, local, this.engines, this.names, this.defaults, listener);
	}

	/**
	 * How many locks the threads of this node hold or wait for.
	 * @return the number of names
	 */
	public int namesInUse() {
		return this.queues.size();
	}

	@Override
	public void close() {
		this.queues.close();
		SwitchableEngine switchable = this.engines.switchable();
		if (switchable != null) {
			switchable.close();
		}
		this.scheduler.shutdownNow();
		this.engines.monitors().forEach(LeaseMonitor::close);
		this.notifier.shutdown();
	}

	/**
	 * The two locks of one name.
	 */
	private record ReadWriteLocks(DistributedLock readLock,
			DistributedLock writeLock) implements DistributedReadWriteLock {
	}

}
