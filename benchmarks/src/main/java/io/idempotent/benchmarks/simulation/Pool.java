package io.idempotent.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Things of which one is held for a while: worker threads, connections.
 */
final class Pool {

	private final Queue<Runnable> waiting = new ArrayDeque<>();

	private int free;

	Pool(int size) {
		this.free = size;
	}

	/** Goes on as soon as one is free, first come, first served. */
	void acquire(Runnable then) {
		if (this.free > 0) {
			this.free--;
			then.run();
		}
		else {
			this.waiting.add(then);
		}
	}

	void release() {
		Runnable next = this.waiting.poll();
		if (next != null) {
			next.run();
		}
		else {
			this.free++;
		}
	}

}
