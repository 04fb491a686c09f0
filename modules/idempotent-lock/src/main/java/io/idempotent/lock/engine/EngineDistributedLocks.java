package io.idempotent.lock.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import io.idempotent.lock.epoch.Epochs;
import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The locks of this node on one or more engines. Two instances in one JVM exclude each
 * other as two nodes do. After {@link #close()} leases are no longer renewed: a lock that
 * is still held ends with its lease. No lock can be acquired any more, and threads that
 * wait in this JVM get a {@link io.idempotent.lock.LockUnavailableException}. The engines
 * stay open.
 */
public final class EngineDistributedLocks implements DistributedLocks, AutoCloseable {

	private final LockNames names;

	private final LockDefaults defaults;

	private final EngineSelection engines;

	private final @Nullable Epochs epochs;

	private final List<LeaseMonitor> monitors;

	private final ScheduledExecutorService scheduler;

	private final ThreadPoolExecutor notifier;

	private final LocalLockQueues queues = new LocalLockQueues();

	private final LockAcquisition acquisition;

	/**
	 * Creates locks whose names have no prefix at the engines.
	 * @param engines the engines, in order of preference
	 * @param defaults apply to what the options of a lock leave open
	 * @param listeners are notified of all events
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults defaults, List<LockListener> listeners) {
		this(engines, defaults, listeners, "");
	}

	/**
	 * Creates locks whose names belong to a namespace.
	 * @param engines the engines, in order of preference
	 * @param defaults apply to what the options of a lock leave open
	 * @param listeners are notified of all events
	 * @param prefix comes before each name at the engines; applications with different
	 * prefixes never exclude each other
	 * @throws IllegalArgumentException if a lock name cannot begin with the prefix
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults defaults, List<LockListener> listeners,
			String prefix) {
		this(engines, defaults, listeners, prefix, null);
	}

	/**
	 * Creates locks whose engine all nodes agree on.
	 * @param engines the engines, in order of preference
	 * @param defaults apply to what the options of a lock leave open
	 * @param listeners are notified of all events
	 * @param prefix comes before each name at the engines
	 * @param epochs which of the engines is in force; closed together with the locks.
	 * {@code null} for the first one
	 * @throws IllegalArgumentException if a lock name cannot begin with the prefix
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults defaults, List<LockListener> listeners,
			String prefix, @Nullable Epochs epochs) {
		this(engines, defaults, listeners, prefix, epochs, LockObserver.NONE);
	}

	/**
	 * Creates locks that are observed.
	 * @param engines the engines, in order of preference
	 * @param defaults apply to what the options of a lock leave open
	 * @param listeners are notified of all events
	 * @param prefix comes before each name at the engines
	 * @param epochs which of the engines is in force; closed together with the locks.
	 * {@code null} for the first one
	 * @param observer observes acquisitions
	 * @throws IllegalArgumentException if a lock name cannot begin with the prefix
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults defaults, List<LockListener> listeners,
			String prefix, @Nullable Epochs epochs, LockObserver observer) {
		if (engines.isEmpty()) {
			throw new IllegalArgumentException("There is no lock engine");
		}
		this.names = new LockNames(prefix);
		this.defaults = defaults;
		LockListeners notifications = new LockListeners(listeners);
		this.scheduler = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idempotent-lock-sweeper"));
		this.notifier = new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				DaemonThreads.named("idempotent-lock-events"), (task, executor) -> task.run());
		this.notifier.allowCoreThreadTimeOut(true);
		Map<String, LeaseMonitor> byName = new LinkedHashMap<>();
		for (LockEngine engine : engines) {
			LeaseMonitor monitor = new LeaseMonitor(engine, notifications, this.queues, this.scheduler, this.notifier);
			if (byName.put(engine.name(), monitor) != null) {
				throw new IllegalArgumentException("There are two lock engines '" + engine.name() + "'");
			}
		}
		this.monitors = List.copyOf(byName.values());
		this.epochs = epochs;
		this.engines = new EngineSelection(engines, byName, epochs);
		this.acquisition = new LockAcquisition(this.engines, this.queues, notifications, observer);
	}

	@Override
	public DistributedLock get(String name, LockOptions options) {
		return lock(name, options);
	}

	@Override
	public DistributedReadWriteLock readWrite(String name, LockOptions options) {
		return new EngineReadWriteLock(get(name, options.withMode(LockMode.READ)),
				get(name, options.withMode(LockMode.WRITE)));
	}

	private EngineLock lock(String name, LockOptions options) {
		SharedLocks.require(this.engines.find(this.engines.nameFor(options)), options.mode());
		return new EngineLock(this.names.require(name), this.names.qualified(name), options, this.defaults,
				this.acquisition);
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
		return this.acquisition.heldByCurrentThread().stream().map((held) -> heldLock(held)).toList();
	}

	private DistributedLock heldLock(HeldLock held) {
		return new EngineLock(held.name(), this.names.qualified(held.name()), held.options(), this.defaults,
				this.acquisition);
	}

	@Override
	public String currentEngine() {
		return this.engines.current();
	}

	@Override
	public List<String> engines() {
		return this.engines.names();
	}

	@Override
	public EngineStatus engineStatus() {
		return (this.epochs != null) ? this.epochs.status() : new EngineStatus(currentEngine(), 1, null, List.of());
	}

	@Override
	public String switchEngine() {
		List<String> names = requireEpochs().engines();
		int index = names.indexOf(currentEngine());
		return switchEngine(names.get((index + 1) % names.size()));
	}

	@Override
	public String switchEngine(String engine) {
		this.engines.find(engine);
		Epochs switched = requireEpochs();
		if (!switched.engines().contains(engine)) {
			throw new IllegalArgumentException("Locks cannot be switched to the engine '" + engine + "', only to "
					+ switched.engines() + ": it is for locks whose options name it");
		}
		if (!this.acquisition.heldByCurrentThread().isEmpty()) {
			throw new IllegalStateException(
					"The current thread holds the lock '" + this.acquisition.heldByCurrentThread().get(0).name()
							+ "', for whose release a switch of engines would wait: release it first");
		}
		switched.switchTo(engine);
		return engine;
	}

	@Override
	public boolean cancelSwitch() {
		return requireEpochs().callOff();
	}

	private Epochs requireEpochs() {
		if (this.epochs == null) {
			throw new UnsupportedOperationException("Locks stay on the engine '" + currentEngine()
					+ "': switching is not enabled. Name several engines in idempotent.lock.engines, and set "
					+ "idempotent.lock.switching.enabled=true on all nodes");
		}
		return this.epochs;
	}

	/**
	 * What operators see of these locks, and change by hand.
	 * @param listener is called after each intervention, on the thread that made it
	 * @return the administration, with interventions of its own
	 */
	public LockAdministration administration(Consumer<LockIntervention> listener) {
		LocalLocks local = new LocalLocks(this.queues, this.engines, this.monitors);
		return new EngineLockAdministration(this, local, this.engines, this.names, this.defaults, listener);
	}

	/**
	 * How many locks the threads of this node hold or wait for.
	 * @return the number of names
	 */
	int namesInUse() {
		return this.queues.size();
	}

	@Override
	public void close() {
		this.queues.close();
		if (this.epochs != null) {
			this.epochs.close();
		}
		this.scheduler.shutdownNow();
		this.monitors.forEach(LeaseMonitor::close);
		this.notifier.shutdown();
	}

}
