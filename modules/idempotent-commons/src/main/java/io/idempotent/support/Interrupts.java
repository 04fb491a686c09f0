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
	 * Clears the interrupt status meanwhile: an interrupted thread gets no connection
	 * from pools, and no reply from clients. A new interrupt reaches the call.
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

	public static void deferDuring(Runnable action) {
		Interrupts.<@Nullable Void>deferDuring(() -> {
			action.run();
			return null;
		});
	}

}
