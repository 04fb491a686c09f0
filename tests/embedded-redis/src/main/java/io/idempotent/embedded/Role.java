package io.idempotent.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a server is there for, as the arguments that tell it.
 */
interface Role {

	/**
	 * The first arguments of the server.
	 * @param directory the server's own directory
	 * @return the arguments
	 * @throws IOException if a file that they name cannot be written
	 */
	List<String> arguments(Path directory) throws IOException;

	/** Keeps data, and saves none. */
	static Role data(String... arguments) {
		List<String> given = List.of(arguments);
		return (directory) -> Stream.concat(Stream.of("--save", "", "--appendonly", "no"), given.stream()).toList();
	}

	/** Watches other servers. A Sentinel insists on a file, which it rewrites. */
	static Role sentinel(String... configuration) {
		List<String> given = List.of(configuration);
		return (directory) -> List.of(Files.write(directory.resolve("sentinel.conf"), given).toString(), "--sentinel");
	}

}
