package io.idempotent.benchmarks.scale;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.benchmarks.records.RedisTalk;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.embedded.Ports;

/**
 * A Redis Cluster of masters alone.
 */
final class SmallCluster implements AutoCloseable {

	private static final int SLOTS = 16384;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final List<EmbeddedRedis> masters = new ArrayList<>();

	private final List<Integer> busPorts = new ArrayList<>();

	/**
	 * Starts a Cluster and waits until it is one.
	 * @param size how many masters share the slots
	 */
	SmallCluster(int size) throws IOException, InterruptedException {
		for (int master = 0; master < size; master++) {
			start();
			tell(master, "SET-CONFIG-EPOCH " + (master + 1));
			tell(master, "ADDSLOTSRANGE " + (SLOTS * master / size) + " " + (SLOTS * (master + 1) / size - 1));
			tell(0, "MEET 127.0.0.1 " + this.masters.get(master).port() + " " + this.busPorts.get(master));
		}
		for (EmbeddedRedis master : this.masters) {
			awaitCluster(master);
		}
	}

	private void start() {
		int busPort = Ports.findFree();
		this.busPorts.add(busPort);
		this.masters.add(EmbeddedRedis.start("--cluster-enabled", "yes", "--cluster-port", String.valueOf(busPort),
				"--cluster-announce-ip", "127.0.0.1"));
	}

	private void tell(int master, String command) throws IOException {
		RedisTalk.tell(this.masters.get(master), "CLUSTER " + command);
	}

	private void awaitCluster(EmbeddedRedis master) throws IOException, InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!isWhole(RedisTalk.ask(master, "CLUSTER INFO"))) {
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("The servers are no Cluster after " + PATIENCE);
			}
			Thread.sleep(20);
		}
	}

	private boolean isWhole(String info) {
		return info.contains("cluster_state:ok") && info.contains("cluster_size:" + this.masters.size());
	}

	List<String> addresses() {
		return this.masters.stream().map((master) -> master.host() + ":" + master.port()).toList();
	}

	void resetCalls() throws IOException {
		for (EmbeddedRedis master : this.masters) {
			RedisTalk.tell(master, "CONFIG RESETSTAT");
		}
	}

	/** How many scripts each master has run. */
	List<Long> calls() throws IOException {
		List<Long> calls = new ArrayList<>();
		for (EmbeddedRedis master : this.masters) {
			calls.add(RedisTalk.number(master, "INFO commandstats", "^cmdstat_evalsha:calls="));
		}
		return calls;
	}

	@Override
	public void close() {
		this.masters.forEach(EmbeddedRedis::close);
	}

}
