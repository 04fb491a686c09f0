package io.idempotent.benchmarks.lock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Virtual threads, which a JDK has from 21 on and the language level here does not know.
 */
final class VirtualThreads {

	private VirtualThreads() {
	}

	static Optional<ExecutorService> executor() {
		try {
			MethodHandle factory = MethodHandles.publicLookup()
				.findStatic(Executors.class, "newVirtualThreadPerTaskExecutor",
						MethodType.methodType(ExecutorService.class));
			return Optional.of((ExecutorService) factory.invokeExact());
		}
		catch (NoSuchMethodException ex) {
			return Optional.empty();
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

}
