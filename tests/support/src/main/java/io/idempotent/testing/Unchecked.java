package io.idempotent.testing;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * Lets checked exceptions through without declaring them.
 */
public final class Unchecked {

	private Unchecked() {
	}

	public static <T extends @Nullable Object> T call(Callable<T> work) {
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

	public static void run(JavaProcess.Work work) {
		call(() -> {
			work.run();
			return work;
		});
	}

}
