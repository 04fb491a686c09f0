package io.idempotent.benchmarks.http;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/**
 * How an application is protected from duplicates.
 */
enum Protection {

	NONE("not protected", false),

	BY_HAND("filter by hand", false, "--by-hand=true"),

	STARTER("starter", true, "--idempotent.store.near-cache.enabled=false"),

	RECEIPTS("starter with receipts", true, "--idempotent.store.near-cache.enabled=false",
			"--idempotent.guard.enabled=true", "--idempotent.initialize-schema=always"),

	NEAR_CACHE("starter with near cache", true, "--idempotent.store.near-cache.enabled=true"),

	JDBC("starter with the JDBC store", true, "--idempotent.store.near-cache.enabled=false",
			"--idempotent.store.type=jdbc", "--idempotent.initialize-schema=always");

	private final String label;

	private final boolean starter;

	private final String arguments;

	Protection(String label, boolean starter, String... arguments) {
		this.label = label;
		this.starter = starter;
		this.arguments = String.join("\n", arguments);
	}

	String label() {
		return this.label;
	}

	/** Of the command line. */
	List<String> arguments() {
		Stream<String> own = this.arguments.lines();
		return (this.starter ? own : Stream.concat(own, Stream.of(withoutStarter()))).toList();
	}

	/** The class path is the same, and nothing of the starter is in effect. */
	static String withoutStarter() {
		return ImportCandidates.load(AutoConfiguration.class, Protection.class.getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.idempotent."))
			.collect(Collectors.joining(",", "--spring.autoconfigure.exclude=", ""));
	}

}
