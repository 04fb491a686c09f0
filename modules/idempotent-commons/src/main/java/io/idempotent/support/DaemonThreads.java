package io.idempotent.support;

import java.util.concurrent.ThreadFactory;

/**
 * Creates background threads. They are daemons, so that they never keep a JVM alive.
 */
public final class DaemonThreads {

	private DaemonThreads() {
	}

	public static ThreadFactory named(String name) {
		return (task) -> thread(name, task);
	}

	/** For a task that may block for long, or must not be delayed by a pool. */
	public static void start(String name, Runnable task) {
		thread(name, task).start();
	}

	private static Thread thread(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		return thread;
	}

}
