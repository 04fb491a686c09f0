package io.idempotent.support;

import java.util.concurrent.ThreadFactory;

/**
 * Creates the threads that work in the background. They are daemons, so that they never
 * keep a JVM alive, and their names describe their purpose.
 */
public final class DaemonThreads {

	private DaemonThreads() {
	}

	/**
	 * Creates the factory for an executor.
	 * @param name the name of each of its threads
	 */
	public static ThreadFactory named(String name) {
		return (task) -> thread(name, task);
	}

	/**
	 * Starts a thread for one task that may block for long, or must not be delayed by a
	 * pool.
	 * @param name the name of the thread
	 * @param task what it runs
	 */
	public static void start(String name, Runnable task) {
		thread(name, task).start();
	}

	private static Thread thread(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		return thread;
	}

}
