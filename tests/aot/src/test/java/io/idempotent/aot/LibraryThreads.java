package io.idempotent.aot;

import java.util.List;

/**
 * The threads that the library has started in this JVM and that have not ended.
 */
final class LibraryThreads {

	private LibraryThreads() {
	}

	static List<String> names() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("idempotent-") || name.startsWith("redisson-"))
			.sorted()
			.toList();
	}

}
