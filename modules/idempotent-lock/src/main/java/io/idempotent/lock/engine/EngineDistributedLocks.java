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

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.MultiLock;
import io.idempotent.support.DaemonThreads;

/**
 * The locks of this node over one or more engines. Two of them exclude each other as two
 * nodes do. Closing gives up the watch over leases: what is still held ends with its
 * lease, no lock is granted any more, and threads that wait behind a holder of this JVM
 * are told so. The engines stay open.
 */
public final class EngineDistributedLocks implements DistributedLocks, AutoCloseable {

	private final LockNames names;

	private final LockDefaults terms;

	private final EngineSwitch engines;

	private final List<LeaseMonitor> watches;

	private final ScheduledExecutorService sweeper;

	private final ThreadPoolExecutor notifier;

	private final LocalLockQueues gates = new LocalLockQueues();

	private final LockAcquisition sections;

	/**
	 * Creates locks that have at the engines the names that they have here.
	 * @param engines the engines, in order of preference
	 * @param terms what options leave open
	 * @param listeners who is told what happens
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults terms, List<LockListener> listeners) {
		this(engines, terms, listeners, "");
	}

	/**
	 * Creates locks whose names belong to a namespace.
	 * @param engines the engines, in order of preference
	 * @param terms what options leave open
	 * @param listeners who is told what happens
	 * @param prefix what the engines know before each name; applications with different
	 * ones never exclude each other
	 * @throws IllegalArgumentException if no name can begin like that
	 */
	public EngineDistributedLocks(List<LockEngine> engines, LockDefaults terms, List<LockListener> listeners,
			String prefix) {
		if (engines.isEmpty()) {
			throw new IllegalArgumentException("There is no lock engine");
		}
		this.names = new LockNames(prefix);
		this.terms = terms;
		LockListeners events = new LockListeners(listeners);
		// What comes after the end is dropped by the one and told by the caller of the
		// other.
		this.sweeper = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idempotent-lock-sweeper"),
				new ThreadPoolExecutor.DiscardPolicy());
		this.notifier = new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				DaemonThreads.named("idempotent-lock-events"), (task, executor) -> task.run());
		this.notifier.allowCoreThreadTimeOut(true);
		Map<String, LeaseMonitor> byName = new LinkedHashMap<>();
		for (LockEngine engine : engines) {
			LeaseMonitor watch = new LeaseMonitor(engine, events, this.gates, this.sweeper, this.notifier);
			if (byName.put(engine.name(), watch) != null) {
				throw new IllegalArgumentException("There are two lock engines '" + engine.name() + "'");
			}
		}
		this.watches = List.copyOf(byName.values());
		this.engines = new EngineSwitch(List.copyOf(engines), byName);
		this.sections = new LockAcquisition(this.engines, this.gates, events);
	}

	@Override
	public DistributedLock get(String name, LockOptions options) {
		return lock(name, options);
	}

	private EngineLock lock(String name, LockOptions options) {
		if (options.engine() != null) {
			this.engines.find(options.engine());
		}
		return new EngineLock(this.names.require(name), this.names.qualified(name), options, this.terms, this.sections);
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
		return this.sections.holds().stream().map((hold) -> get(hold.name(), hold.options())).toList();
	}

	@Override
	public String currentEngine() {
		return this.engines.choice(null).engine().name();
	}

	@Override
	public List<String> engines() {
		return this.engines.names();
	}

	@Override
	public String switchEngine() {
		return this.engines.next();
	}

	@Override
	public String switchEngine(String engine) {
		return this.engines.use(engine);
	}

	/**
	 * How many names threads of this node hold or wait for.
	 * @return their number
	 */
	int namesInUse() {
		return this.gates.size();
	}

	@Override
	public void close() {
		this.gates.close();
		this.sweeper.shutdownNow();
		this.watches.forEach(LeaseMonitor::close);
		this.notifier.shutdown();
	}

}
