package io.idempotent.benchmarks.measure;

import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;

/**
 * What one thread times within one turn. A task that says nothing is timed as a whole;
 * one that calls {@link #start()} and {@link #stop()} is timed between them.
 */
public final class Stopwatch {

	private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);

	private final Histogram histogram = new Histogram(LONGEST, 3);

	private final int thread;

	private long started;

	private boolean stopped;

	Stopwatch(int thread) {
		this.thread = thread;
	}

	/**
	 * Which of the contest's threads this is.
	 * @return a number from zero
	 */
	public int thread() {
		return this.thread;
	}

	/**
	 * From here on it counts.
	 */
	public void start() {
		startAt(System.nanoTime());
	}

	/**
	 * It counts from a time that may have passed: when something was due.
	 * @param nanoTime a reading of {@link System#nanoTime()}
	 */
	public void startAt(long nanoTime) {
		this.started = nanoTime;
	}

	/**
	 * What follows does not count.
	 */
	public void stop() {
		this.histogram.recordValue(Math.min(LONGEST, System.nanoTime() - this.started));
		this.stopped = true;
	}

	void time(Contender.Task task) throws Exception {
		this.stopped = false;
		start();
		task.run(this);
		if (!this.stopped) {
			stop();
		}
	}

	Histogram histogram() {
		return this.histogram;
	}

}
