package io.idempotent.crash;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a request stands still that was told to, until somebody says what becomes of all
 * that stand.
 */
final class Breakpoints {

	/** What the process says of each request that has come to its point. */
	static final String REACHED = "reached ";

	private final Map<Thread, Breakpoint> armed = new ConcurrentHashMap<>();

	private volatile CompletableFuture<Runnable> order = new CompletableFuture<>();

	void arm(CrashPoint point, String key) {
		this.armed.put(Thread.currentThread(), new Breakpoint(point, key));
	}

	void disarm() {
		this.armed.remove(Thread.currentThread());
	}

	/**
	 * Blocks where the request of this thread is to stand still here.
	 * @param point where it is
	 */
	void pass(CrashPoint point) {
		Breakpoint breakpoint = this.armed.get(Thread.currentThread());
		if (breakpoint != null && breakpoint.point() == point) {
			disarm();
			// Before anybody is told: the order may come before this thread goes on.
			CompletableFuture<Runnable> mine = this.order;
			System.out.println(REACHED + breakpoint.key());
			mine.join().run();
		}
	}

	void goOn() {
		order(() -> {
		});
	}

	void halt() {
		order(() -> Runtime.getRuntime().halt(1));
	}

	private void order(Runnable what) {
		CompletableFuture<Runnable> waiting = this.order;
		this.order = new CompletableFuture<>();
		waiting.complete(what);
	}

	private record Breakpoint(CrashPoint point, String key) {
	}

}
