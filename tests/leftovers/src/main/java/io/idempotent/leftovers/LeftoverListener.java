package io.idempotent.leftovers;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Fails a JVM whose tests leave threads or listening ports behind. Threads of the library
 * count, and those that would keep an application's JVM alive. Spring's test framework
 * keeps contexts until the JVM ends, so that modules that use it do not use this.
 */
public final class LeftoverListener implements LauncherSessionListener {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** Of the JVM, of Surefire and of JUnit. */
	private static final Set<String> EXPECTED = Set.of("main", "process reaper", "junit-jupiter-timeout-watcher");

	/** A ZooKeeper server within this JVM may not end the threads of its followers. */
	private static final String ZOOKEEPER_SENDER = "Sender-/";

	/**
	 * Surefire also opens a session in the JVM of Maven, to select tests.
	 */
	@Override
	public void launcherSessionClosed(LauncherSession session) {
		if (RemainingProcesses.rootOfThisJvm() == null) {
			return;
		}
		requireNone("threads", LeftoverListener::threads);
		requireNone("ports", ListeningPorts::ofThisJvm);
	}

	private static void requireNone(String what, Supplier<List<String>> leftovers) {
		List<String> left = Patience.untilEmpty(PATIENCE, leftovers);
		if (!left.isEmpty()) {
			throw new IllegalStateException("The tests of this JVM left " + what + " behind: " + String.join(", ", left)
					+ ". Close what started them in the test");
		}
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !thread.isDaemon() || thread.getName().startsWith("idempotent-"))
			.filter((thread) -> !isExpected(thread.getName()))
			.map((thread) -> thread.getName() + " in " + place(thread))
			.sorted()
			.toList();
	}

	private static boolean isExpected(String name) {
		return EXPECTED.contains(name) || name.startsWith("surefire-") || name.startsWith(ZOOKEEPER_SENDER);
	}

	/** Where the thread is in the library, or where it is at all. */
	private static String place(Thread thread) {
		StackTraceElement[] frames = thread.getStackTrace();
		return Stream.of(frames)
			.filter((frame) -> frame.getClassName().startsWith("io.idempotent"))
			.findFirst()
			.or(() -> Stream.of(frames).findFirst())
			.map(StackTraceElement::toString)
			.orElse("its end");
	}

}
