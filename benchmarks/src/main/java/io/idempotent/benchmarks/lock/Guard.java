package io.idempotent.benchmarks.lock;

import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/**
 * Runs a section under the lock of a name.
 */
@FunctionalInterface
interface Guard {

	/**
	 * Takes the lock, runs the section and gives the lock back.
	 * @param name the lock
	 * @param section what runs under it
	 * @throws Exception if the lock cannot be obtained, or was lost
	 */
	void run(String name, Runnable section) throws Exception;

	static Guard of(Function<String, ? extends Lock> locks) {
		return (name, section) -> {
			Lock lock = locks.apply(name);
			lock.lock();
			try {
				section.run();
			}
			finally {
				lock.unlock();
			}
		};
	}

}
