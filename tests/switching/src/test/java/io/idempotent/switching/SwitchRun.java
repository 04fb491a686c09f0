package io.idempotent.switching;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.switching.Judge.Kind;
import io.idempotent.switching.Judge.Violation;
import io.idempotent.switching.NodeArguments.Manner;
import io.idempotent.switching.SwitchingNode.Report;
import org.awaitility.core.ConditionTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes that switch engines until they have done so often enough, and the faults
 * that happen to them meanwhile.
 */
final class SwitchRun {

	private static final int NODES = 3;

	/** Nodes with another manner may stay without locks. */
	private static final List<Manner> PROMISED = List.of(Manner.CORRECT, Manner.AUTOMATIC);

	private static final Duration RECOVERY = Duration.ofSeconds(90);

	private final Servers servers;

	private final Engines authority;

	private final Path directory;

	private final Random random;

	private final Map<Fault, AtomicInteger> faults = new ConcurrentHashMap<>();

	private final Map<Report, AtomicInteger> reports = new ConcurrentHashMap<>();

	private final AtomicInteger outages = new AtomicInteger();

	private final AtomicLong epoch = new AtomicLong(1);

	private final AtomicReference<Throwable> failure = new AtomicReference<>();

	private final CountDownLatch end = new CountDownLatch(1);

	/**
	 * Prepares a run.
	 * @param servers the servers
	 * @param authority whose server is the authority
	 * @param directory where the logs are written; its name distinguishes the run from
	 * others
	 * @param seed of everything that is chosen
	 */
	SwitchRun(Servers servers, Engines authority, Path directory, long seed) throws IOException {
		this.servers = servers;
		this.authority = authority;
		this.directory = Files.createDirectories(directory);
		this.random = new Random(seed);
	}

	/**
	 * Lets nodes switch.
	 * @param goal when to end
	 * @param atMost when to give up
	 * @param mix the faults, of which one is chosen each time
	 * @param manners of the nodes
	 * @return what was found
	 */
	Findings run(Goal goal, Duration atMost, List<Fault> mix, List<Manner> manners) throws Exception {
		long start = System.nanoTime();
		List<NodeProcess> nodes = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		try {
			for (int i = 0; i < NODES; i++) {
				NodeProcess node = new NodeProcess("node" + i, this.directory, this.servers, this.authority,
						manners.get(i % manners.size()), this.random.nextLong(), this::report);
				nodes.add(node);
				node.start();
			}
			startFaults(nodes, mix, manners, threads);
			awaitGoal(goal, start + atMost.toNanos());
			endFaults(threads);
			requireNoFailure();
			if (PROMISED.containsAll(manners)) {
				awaitSections(nodes);
			}
		}
		finally {
			endFaults(threads);
			nodes.forEach(NodeProcess::close);
		}
		return findings();
	}

	private void startFaults(List<NodeProcess> nodes, List<Fault> mix, List<Manner> manners, List<Thread> threads) {
		for (NodeProcess node : nodes) {
			Random own = new Random(this.random.nextLong());
			threads.add(thread(() -> disturb(node, mix, own)));
		}
		Random own = new Random(this.random.nextLong());
		if (manners.contains(Manner.AUTOMATIC)) {
			threads.add(thread(this::interruptPreferred));
		}
		else if (manners.equals(List.of(Manner.CORRECT))) {
			threads.add(thread(() -> interruptServers(own)));
		}
	}

	private void report(String line) {
		String[] parts = line.split(" ", -1);
		this.reports.computeIfAbsent(Report.valueOf(parts[0]), (key) -> new AtomicInteger()).incrementAndGet();
		this.epoch.accumulateAndGet(Long.parseLong(parts[1]), Math::max);
	}

	private void awaitGoal(Goal goal, long deadline) throws Exception {
		while (!goal.isReached(this) && this.failure.get() == null && deadline - System.nanoTime() > 0) {
			TimeUnit.MILLISECONDS.sleep(200);
		}
	}

	private void endFaults(List<Thread> threads) throws InterruptedException {
		this.end.countDown();
		for (Thread thread : threads) {
			thread.join();
		}
	}

	/** Once nothing fails any more, each node soon gets locks. */
	private void awaitSections(List<NodeProcess> nodes) throws IOException {
		long now = System.nanoTime();
		try {
			await().atMost(RECOVERY)
				.pollInterval(Duration.ofMillis(500))
				.untilAsserted(() -> assertThat(nodes).as("The logs of the nodes are in %s", this.directory)
					.filteredOn((node) -> !node.hasSectionAfter(now))
					.isEmpty());
		}
		catch (ConditionTimeoutException ex) {
			for (NodeProcess node : nodes) {
				node.dumpThreads();
			}
			throw ex;
		}
	}

	private void disturb(NodeProcess node, List<Fault> mix, Random own) throws Exception {
		while (!this.end.await(own.nextInt(500, 5000), TimeUnit.MILLISECONDS)) {
			Fault fault = mix.get(own.nextInt(mix.size()));
			fault.happen(node, own);
			this.faults.computeIfAbsent(fault, (key) -> new AtomicInteger()).incrementAndGet();
		}
	}

	/** Each server but that of the authority, for longer than the leases. */
	private void interruptServers(Random own) throws Exception {
		List<Engines> engines = new ArrayList<>(List.of(Engines.values()));
		engines.removeIf((engine) -> this.servers.port(engine) == this.servers.port(this.authority));
		while (!this.end.await(own.nextInt(10_000, 20_000), TimeUnit.MILLISECONDS)) {
			Engines engine = engines.get(own.nextInt(engines.size()));
			this.servers.stop(engine);
			TimeUnit.MILLISECONDS.sleep(own.nextInt(2500, 4000));
			this.servers.restart(engine);
			this.outages.incrementAndGet();
		}
	}

	/** The preferred engine, each time until the nodes have left it or returned to it. */
	private void interruptPreferred() throws Exception {
		Engines preferred = Engines.REDISSON;
		while (!this.end.await(5, TimeUnit.SECONDS)) {
			long before = this.epoch.get();
			this.servers.stop(preferred);
			awaitSwitchAfter(before);
			before = this.epoch.get();
			this.servers.restart(preferred);
			this.outages.incrementAndGet();
			awaitSwitchAfter(before);
		}
	}

	private void awaitSwitchAfter(long before) throws InterruptedException {
		while (this.epoch.get() == before && !this.end.await(50, TimeUnit.MILLISECONDS)) {
			// Reported by the nodes.
		}
	}

	private Thread thread(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (Throwable ex) {
				this.failure.compareAndSet(null, ex);
			}
		});
		thread.start();
		return thread;
	}

	private void requireNoFailure() {
		assertThat(this.failure.get()).as("Failure of the run itself").isNull();
		assertThat(this.reports).as("Threads that ended: see %s", this.directory).doesNotContainKey(Report.BROKEN);
	}

	private Findings findings() throws IOException {
		requireNoFailure();
		Collection<Section> sections = SectionLog.readAll(this.directory);
		System.out.println(this.authority + ": " + this.reports + ", " + this.faults + ", outages: " + this.outages
				+ ", sections: " + sections.size());
		return new Findings(this.epoch.get() - 1, sections.size(), Judge.judge(sections));
	}

	/**
	 * What a run has shown.
	 *
	 * @param switches the switches that were completed
	 * @param sections the times a lock was held
	 * @param violations what must not have happened
	 */
	record Findings(long switches, int sections, List<Violation> violations) {
	}

	/**
	 * When a run ends.
	 */
	interface Goal {

		boolean isReached(SwitchRun run) throws IOException;

		/** On a busy machine the switches may come before the sections. */
		static Goal switches(int count, int sections) {
			return (run) -> run.epoch.get() > count && SectionLog.readAll(run.directory).size() > sections;
		}

		static Goal violations(List<Kind> kinds) {
			return (run) -> Judge.judge(SectionLog.readAll(run.directory))
				.stream()
				.map(Violation::kind)
				.toList()
				.containsAll(kinds);
		}

	}

	private interface Work {

		void run() throws Exception;

	}

}
