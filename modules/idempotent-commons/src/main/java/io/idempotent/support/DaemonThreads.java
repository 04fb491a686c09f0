package io.idempotent.support;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Creates background threads. They are daemons, so that they never keep a JVM alive.
 */
public final class DaemonThreads {

	private static final int WORKERS = 4;

	private static final long IDLE_SECONDS = 5;

	private DaemonThreads() {
	}

	public static ThreadFactory named(String name) {
		return (task) -> thread(name, task);
	}

	/** Few: tasks that wait for a server may occupy connections of the application. */
	public static ExecutorService workers(String name) {
		return workers(name, WORKERS);
	}

	/** At least one: a mock of a store or an engine says 0. */
	public static ExecutorService workers(String name, int most) {
		int threads = Math.max(1, most);
		ThreadPoolExecutor workers = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), named(name));
		workers.allowCoreThreadTimeOut(true);
		return workers;
	}

	/** For a task that may block for long, or must not be delayed by a pool. */
	public static void start(String name, Runnable task) {
		thread(name, task).start();
	}

	/**
	 * Runs a task when what needs the JVM has ended, or when no thread keeps the JVM
	 * alive any more but those whose names begin so, as if they were daemons. For
	 * libraries that cannot be told to use daemons. The thread of the task keeps the JVM
	 * alive until the task is done.
	 * @param running whether the JVM is needed; asked each second
	 */
	public static void runWithoutOthers(String name, String ignored, BooleanSupplier running, Runnable task) {
		start(name, () -> {
			try {
				Thread other = keepingAlive(ignored);
				while (other != null && running.getAsBoolean()) {
					other.join(1000);
					other = other.isAlive() ? other : keepingAlive(ignored);
				}
				Thread last = new Thread(task, name);
				last.setDaemon(false);
				last.start();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

	/** Any thread that the JVM waits for before it ends, but the one that waits. */
	private static @Nullable Thread keepingAlive(String ignored) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !thread.isDaemon() && !thread.getName().equals("DestroyJavaVM")
					&& !thread.getName().startsWith(ignored))
			.findAny()
			.orElse(null);
	}

	private static Thread thread(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		return thread;
	}

}
