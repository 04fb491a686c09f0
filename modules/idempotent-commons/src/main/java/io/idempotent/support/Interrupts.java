package io.idempotent.support;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Calls that an interrupt must not prevent.
 */
public final class Interrupts {

	private Interrupts() {
	}

	/**
	 * Calls without the interrupt status of the thread, and restores it. An interrupted
	 * thread gets no connection from pools, and no reply from clients.
	 * @param <T> the type of the result
	 * @param call the call; an interrupt that arrives meanwhile reaches it
	 */
	public static <T extends @Nullable Object> T deferDuring(Supplier<T> call) {
		boolean interrupted = Thread.interrupted();
		try {
			return call.get();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Runs without the interrupt status of the thread, and restores it.
	 * @param action what to run; an interrupt that arrives meanwhile reaches it
	 */
	public static void deferDuring(Runnable action) {
		Interrupts.<@Nullable Void>deferDuring(() -> {
			action.run();
			return null;
		});
	}

}
