package io.idempotent.leftovers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ports that this JVM listens on. Only Linux shows them; elsewhere there are none.
 */
final class ListeningPorts {

	private static final Path SELF = Path.of("/proc/self");

	/** Of the columns of {@code /proc/net/tcp}. */
	private static final int ADDRESS = 1;

	private static final int STATE = 3;

	private static final int INODE = 9;

	private static final String LISTEN = "0A";

	private ListeningPorts() {
	}

	static List<String> ofThisJvm() {
		Set<String> sockets = sockets();
		return Stream.of("net/tcp", "net/tcp6")
			.map(SELF::resolve)
			.filter(Files::isReadable)
			.flatMap((table) -> lines(table).stream().skip(1))
			.map((line) -> line.strip().split("\\s+"))
			.filter((columns) -> columns[STATE].equals(LISTEN) && sockets.contains("socket:[" + columns[INODE] + "]"))
			.map((columns) -> columns[ADDRESS].substring(columns[ADDRESS].indexOf(':') + 1))
			.map((port) -> String.valueOf(Integer.parseInt(port, 16)))
			.distinct()
			.toList();
	}

	private static Set<String> sockets() {
		if (!Files.isReadable(SELF.resolve("fd"))) {
			return Set.of();
		}
		try (Stream<Path> descriptors = Files.list(SELF.resolve("fd"))) {
			return descriptors.map(ListeningPorts::target).collect(Collectors.toSet());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Empty if the descriptor has been closed meanwhile. */
	private static String target(Path descriptor) {
		try {
			return Files.readSymbolicLink(descriptor).toString();
		}
		catch (IOException ex) {
			return "";
		}
	}

	private static List<String> lines(Path table) {
		try {
			return Files.readAllLines(table);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
