package io.idempotent.switching;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a node is started with.
 *
 * @param log where it writes its sections
 * @param seed of what it does
 * @param authority whose server is the authority
 * @param authorityPort where it reaches the authority
 * @param ports where it reaches the engines
 * @param run distinguishes the locks of a run from those of others
 * @param manner whether it keeps to the protocol
 */
record NodeArguments(Path log, long seed, Engines authority, int authorityPort, Map<Engines, Integer> ports, String run,
		Manner manner) {

	List<String> toList() {
		List<String> arguments = new ArrayList<>(List.of(this.log.toString(), Long.toString(this.seed),
				this.authority.name(), Integer.toString(this.authorityPort), this.run, this.manner.name()));
		for (Engines engine : Engines.values()) {
			arguments.add(Integer.toString(this.ports.get(engine)));
		}
		return arguments;
	}

	static NodeArguments of(String... arguments) {
		Map<Engines, Integer> ports = new EnumMap<>(Engines.class);
		int next = 6;
		for (Engines engine : Engines.values()) {
			ports.put(engine, Integer.valueOf(arguments[next++]));
		}
		return new NodeArguments(Path.of(arguments[0]), Long.parseLong(arguments[1]), Engines.valueOf(arguments[2]),
				Integer.parseInt(arguments[3]), ports, arguments[4], Manner.valueOf(arguments[5]));
	}

	/**
	 * Whether a node keeps to the protocol.
	 */
	enum Manner {

		/** As an application does by default. */
		CORRECT,

		/** Switches by what it sees of the engines, never by a call. */
		AUTOMATIC,

		/** Takes its locks on one engine, whatever the nodes agree on. */
		IGNORES_EPOCHS,

		/** Goes on with the engine that it knows while it cannot reach the authority. */
		KEEPS_GRANTING

	}

}
