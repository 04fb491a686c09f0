package io.idempotent.lock.engine;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that keep no JVM alive.
 */
final class DaemonThreads implements ThreadFactory {

	private final String name;

	private final AtomicInteger count = new AtomicInteger();

	DaemonThreads(String name) {
		this.name = name;
	}

	@Override
	public Thread newThread(Runnable task) {
		Thread thread = new Thread(task, this.name + "-" + this.count.incrementAndGet());
		thread.setDaemon(true);
		return thread;
	}

}
