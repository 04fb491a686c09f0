package io.idempotent.testing;

import java.util.concurrent.Callable;

/**
 * Lets the exceptions of a server's start and end through without declaring them.
 */
final class Unchecked {

	private Unchecked() {
	}

	static <T> T call(Callable<T> work) {
		try {
			return work.call();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static void run(JavaProcess.Work work) {
		call(() -> {
			work.run();
			return work;
		});
	}

}
