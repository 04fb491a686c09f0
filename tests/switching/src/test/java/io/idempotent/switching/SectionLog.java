package io.idempotent.switching;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The log of one process. Each line is handed to the operating system before the next
 * step of the thread, so that it survives the process.
 *
 * <pre>
 * enter TIME NAME TOKEN ENGINE
 * valid TIME NAME TOKEN
 * </pre>
 */
final class SectionLog implements AutoCloseable {

	static final String SUFFIX = ".sections";

	private final FileChannel file;

	SectionLog(Path file) throws IOException {
		this.file = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
	}

	void enter(long time, String name, long token, String engine) {
		write("enter " + time + " " + name + " " + token + " " + engine + "\n");
	}

	void valid(long time, String name, long token) {
		write("valid " + time + " " + name + " " + token + "\n");
	}

	private synchronized void write(String line) {
		try {
			this.file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.file.close();
	}

	/**
	 * Reads the logs of all processes.
	 * @param directory where they are
	 * @return the sections, in no order
	 */
	static List<Section> readAll(Path directory) throws IOException {
		List<Section> sections = new ArrayList<>();
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(SUFFIX)).toList()) {
				sections.addAll(read(file));
			}
		}
		return sections;
	}

	static Collection<Section> read(Path file) throws IOException {
		String node = file.getFileName().toString().replace(SUFFIX, "");
		String text = Files.readString(file);
		Map<String, Section> sections = new LinkedHashMap<>();
		// A process may have been killed in the middle of its last line.
		text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach((line) -> {
			String[] parts = line.split(" ", -1);
			long time = Long.parseLong(parts[1]);
			String key = parts[2] + " " + parts[3];
			if (parts[0].equals("valid")) {
				sections.computeIfPresent(key, (same, section) -> section.validAt(time));
			}
			else if (sections.put(key,
					new Section(node, parts[2], Long.parseLong(parts[3]), parts[4], time, time)) != null) {
				throw new IllegalStateException("Two sections with the same token: " + line + " in " + file);
			}
		});
		return sections.values();
	}

}
