package io.idempotent.benchmarks.simulation;

/**
 * Servers of one kind as the theory of queues sees them: jobs arrive at random.
 *
 * @param servers how many
 * @param rate jobs a microsecond
 * @param load servers that are busy, as a share
 * @param secondMoment the sum of the squares of the service times of a microsecond's jobs
 */
record Queue(int servers, double rate, double load, double secondMoment) {

	Queue(int servers) {
		this(servers, 0, 0, 0);
	}

	/** With further jobs. */
	Queue and(double rate, Service service) {
		return new Queue(this.servers, this.rate + rate, this.load + rate * service.mean() / this.servers,
				this.secondMoment + rate * service.secondMoment());
	}

	/**
	 * How long a job waits on average: by Pollaczek and Khinchine for one server, by
	 * Allen and Cunneen for more.
	 * @return microseconds, infinite if the servers are overloaded
	 */
	double delay() {
		if (this.load >= 1) {
			return Double.POSITIVE_INFINITY;
		}
		double mean = this.load * this.servers / this.rate;
		double variability = this.secondMoment / this.rate / mean / mean / 2;
		return waits() * variability * mean / this.servers / (1 - this.load);
	}

	/**
	 * Erlang's formula C: the share of jobs that wait, if service times are exponential.
	 */
	private double waits() {
		double offered = this.load * this.servers;
		double blocked = 1;
		for (int server = 1; server <= this.servers; server++) {
			blocked = offered * blocked / (server + offered * blocked);
		}
		return blocked / (1 - this.load * (1 - blocked));
	}

}
