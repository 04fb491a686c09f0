package io.idempotent.guest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A start of an application.
 *
 * @param kind the application
 * @param starters what is added to its artifacts
 * @param arguments what is added to its arguments
 */
record Start(Kind kind, List<String> starters, List<String> arguments) {

	static Start without(Kind kind) {
		return new Start(kind, List.of(), List.of());
	}

	static Start with(Kind kind, Starter starter) {
		return new Start(kind, List.of(starter.artifact()), starter.arguments());
	}

	/** Those with the same artifacts have the same class path. */
	List<String> allArtifacts() {
		List<String> all = new ArrayList<>(this.kind.allArtifacts());
		all.addAll(this.starters);
		return all;
	}

	/** What {@link Report} is told, as one argument. */
	String command(Path report) {
		List<String> all = new ArrayList<>(List.of(report.toString(), this.kind.application().getName(),
				"--server.port=0", "--logging.pattern.console=%level %logger %m%n"));
		all.addAll(this.kind.arguments());
		all.addAll(this.arguments);
		return String.join("\n", all);
	}

}
