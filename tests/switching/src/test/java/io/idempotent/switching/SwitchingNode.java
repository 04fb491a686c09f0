package io.idempotent.switching;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.switching.CircuitBreakerHealth;
import io.idempotent.lock.switching.EngineHealth;
import io.idempotent.lock.switching.EngineSwitchException;
import io.idempotent.lock.switching.EngineSwitching;
import io.idempotent.lock.switching.Epochs;
import io.idempotent.lock.switching.SwitchSettings;
import io.idempotent.lock.switching.SwitchingLockEngine;
import io.idempotent.lock.switching.WhenAuthorityAway;
import io.idempotent.switching.NodeArguments.Manner;

/**
 * A node in a JVM of its own: threads that take locks for short and some long times, and
 * one that switches the engine of all nodes every now and then. It says on its output
 * what came of each switch.
 */
final class SwitchingNode {

	private static final List<String> NAMES = List.of("a", "b", "c");

	private static final int WORKERS = 4;

	/** The last checks of a section are at most so far apart. */
	private static final long CHECK_INTERVAL_MILLIS = 5;

	private static final Duration RECOVERY_TIME = Duration.ofSeconds(2);

	/** The last lock that the thread was granted. */
	private static final ThreadLocal<LockEvent> granted = new ThreadLocal<>();

	private final SectionLog log;

	private final EngineDistributedLocks locks;

	private final EngineSwitching switching;

	private final LockOptions options;

	private SwitchingNode(NodeArguments arguments) throws IOException {
		this.log = new SectionLog(arguments.log());
		CircuitBreakerHealth health = new CircuitBreakerHealth(RECOVERY_TIME);
		boolean automatic = arguments.manner() == Manner.AUTOMATIC;
		List<LockEngine> engines = new ArrayList<>();
		arguments.ports().forEach((kind, port) -> engines.add(kind.connect(port, 2 * WORKERS)));
		SharedEntry authority = arguments.authority()
			.connect(arguments.authorityPort(), 2)
			.sharedEntry(arguments.run());
		if (authority == null) {
			throw new IllegalArgumentException(arguments.authority() + " cannot be the authority");
		}
		if (automatic) {
			health.watch(engines, arguments.run() + ":health");
		}
		boolean keeps = arguments.manner() == Manner.KEEPS_GRANTING;
		Epochs epochs = new Epochs(authority,
				settings(keeps ? WhenAuthorityAway.KEEP_GRANTING : WhenAuthorityAway.STOP_GRANTING),
				engines.stream().map(LockEngine::name).toList(), automatic ? health : EngineHealth.UNKNOWN);
		this.locks = new EngineDistributedLocks(List.of(new SwitchingLockEngine(engines, epochs)), Engines.LEASE,
				LockOptions.Settings.NONE, List.of(SwitchingNode::onEvent), arguments.run() + ":", LockObserver.NONE);
		this.switching = new EngineSwitching(this.locks, epochs);
		boolean ignores = arguments.manner() == Manner.IGNORES_EPOCHS;
		this.options = ignores ? LockOptions.DEFAULTS.withEngine(Engines.REDISSON.engine()) : LockOptions.DEFAULTS;
	}

	private static SwitchSettings settings(WhenAuthorityAway authorityAway) {
		return new SwitchSettings(Duration.ofMillis(1500), Duration.ofSeconds(3), Duration.ofSeconds(1), authorityAway);
	}

	/** Called by the thread that is granted the lock. */
	private static void onEvent(LockEvent event) {
		if (event.type() == LockEvent.Type.OBTAINED) {
			granted.set(event);
		}
	}

	private void work(Random random) throws InterruptedException {
		while (true) {
			try {
				DistributedLock lock = this.locks.get(NAMES.get(random.nextInt(NAMES.size())), this.options);
				if (lock.tryLock(2, TimeUnit.SECONDS)) {
					try {
						hold(lock, random);
					}
					finally {
						lock.unlock();
					}
				}
			}
			catch (LockLostException | LockUnavailableException ex) {
				Thread.sleep(20);
			}
			Thread.sleep(random.nextInt(1, 20));
		}
	}

	/** Takes each time before the check, see {@link Judge}. */
	private void hold(DistributedLock lock, Random random) throws InterruptedException {
		LockEvent grant = granted.get();
		long from = System.nanoTime();
		if (!lock.isValid()) {
			return;
		}
		this.log.enter(from, grant.name(), grant.token(), grant.engine());
		long end = from + TimeUnit.MILLISECONDS.toNanos(millis(random));
		long now = from;
		while (now < end) {
			Thread.sleep(Math.min(CHECK_INTERVAL_MILLIS, TimeUnit.NANOSECONDS.toMillis(end - now) + 1));
			now = System.nanoTime();
			if (!lock.isValid()) {
				return;
			}
			this.log.valid(now, grant.name(), grant.token());
		}
	}

	private static int millis(Random random) {
		int choice = random.nextInt(1000);
		if (choice < 950) {
			return random.nextInt(1, 20);
		}
		return (choice < 995) ? random.nextInt(50, 300) : random.nextInt(500, 5000);
	}

	private void switchEngines(Random random) throws InterruptedException {
		while (true) {
			Thread.sleep(random.nextInt(300, 1500));
			List<String> others = new ArrayList<>(this.switching.engines());
			others.remove(this.locks.engineInForce());
			try {
				this.switching.switchTo(others.get(random.nextInt(others.size())));
				report(Report.COMPLETED);
			}
			catch (EngineSwitchException ex) {
				report(ex.getMessage().contains("was called off") ? Report.CALLED_OFF : Report.REFUSED);
			}
			catch (LockUnavailableException ex) {
				report(Report.UNKNOWN);
			}
		}
	}

	private void cancelSwitches(Random random) throws InterruptedException {
		while (true) {
			Thread.sleep(random.nextInt(3000, 10_000));
			try {
				if (this.switching.callOff()) {
					report(Report.CANCELLED);
				}
			}
			catch (LockUnavailableException ex) {
				report(Report.UNKNOWN);
			}
		}
	}

	private void observe() throws InterruptedException {
		while (true) {
			Thread.sleep(100);
			report(Report.OBSERVED);
		}
	}

	private void report(Report report) {
		System.out.println(report + " " + this.switching.status().epoch());
	}

	private static void start(Work work) {
		new Thread(() -> {
			try {
				work.run();
			}
			catch (Throwable ex) {
				// Unexpected: it must not go unnoticed.
				ex.printStackTrace();
				System.out.println(Report.BROKEN + " 0");
			}
		}).start();
	}

	/**
	 * Runs until it is killed, or the JVM that started it has ended.
	 * @param parts the arguments
	 */
	public static void main(String[] parts) throws IOException {
		NodeArguments arguments = NodeArguments.of(parts);
		SwitchingNode node = new SwitchingNode(arguments);
		Random random = new Random(arguments.seed());
		for (int i = 0; i < WORKERS; i++) {
			long seed = random.nextLong();
			start(() -> node.work(new Random(seed)));
		}
		long seed = random.nextLong();
		if (arguments.manner() == Manner.AUTOMATIC) {
			start(node::observe);
		}
		else {
			start(() -> node.switchEngines(new Random(seed)));
			start(() -> node.cancelSwitches(new Random(seed)));
		}
		System.in.transferTo(OutputStream.nullOutputStream());
		Runtime.getRuntime().halt(0);
	}

	/**
	 * What a node says of a call, followed by the epoch that it knows.
	 */
	enum Report {

		/** The epoch was read, without a call. */
		OBSERVED,

		/** The engine was switched. */
		COMPLETED,

		/** The switch was called off. */
		CALLED_OFF,

		/** This node has called a switch off. */
		CANCELLED,

		/** Another switch was in progress. */
		REFUSED,

		/** The authority could not be reached. */
		UNKNOWN,

		/** An exception that must not occur. */
		BROKEN

	}

	private interface Work {

		void run() throws Exception;

	}

}
