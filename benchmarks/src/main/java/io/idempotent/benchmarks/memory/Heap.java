package io.idempotent.benchmarks.memory;

import java.lang.management.ManagementFactory;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What lives in this JVM.
 */
final class Heap {

	/** Rank, instances, bytes and class, without the arrays. */
	private static final Pattern OURS = Pattern
		.compile("(?m)^ *\\d+: +(\\d+) +\\d+ +io\\.idempotent\\.(?!benchmarks)[^ \\n]+");

	private Heap() {
	}

	/** How many bytes are in use after a full collection. */
	static long used() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	/**
	 * How many objects of the library live. Whatever a map of it holds on to, it holds on
	 * to by one of them.
	 */
	static long objectsOfTheLibrary() throws JMException {
		return OURS.matcher(histogram())
			.results()
			.map((MatchResult line) -> line.group(1))
			.mapToLong(Long::parseLong)
			.sum();
	}

	static String histogram() throws JMException {
		return (String) ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
					new Object[] { new String[0] }, new String[] { String[].class.getName() });
	}

}
