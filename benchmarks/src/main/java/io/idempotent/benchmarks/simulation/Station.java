package io.idempotent.benchmarks.simulation;

import java.util.Arrays;

/**
 * Servers that take jobs in the order of their arrival.
 */
final class Station {

	private final double[] free;

	private final double from;

	private final double to;

	private double busy;

	/**
	 * Creates idle servers.
	 * @param servers how many
	 * @param from when they begin to count how long they are busy
	 * @param to when they end to
	 */
	Station(int servers, double from, double to) {
		this.free = new double[servers];
		this.from = from;
		this.to = to;
	}

	/** When a job that arrives now is done. No job may arrive before an earlier one. */
	double serve(double now, double service) {
		int next = 0;
		for (int server = 1; server < this.free.length; server++) {
			next = (this.free[server] < this.free[next]) ? server : next;
		}
		double start = Math.max(now, this.free[next]);
		this.free[next] = start + service;
		this.busy += Math.max(0, Math.min(start + service, this.to) - Math.max(start, this.from));
		return start + service;
	}

	double utilisation() {
		return this.busy / (this.to - this.from) / this.free.length;
	}

	static double utilisation(Station[] stations) {
		return Arrays.stream(stations).mapToDouble(Station::utilisation).average().orElseThrow();
	}

}
