package io.idempotent.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import org.springframework.util.FileSystemUtils;

/**
 * What all servers of one kind start with, such as their binaries and the data of a new
 * one: made once for a build, and gone with it.
 */
final class Installed {

	private Installed() {
	}

	/**
	 * Makes it, unless that was done before.
	 * @param name the name of its directory
	 * @param installation makes it
	 * @return its directory
	 */
	static synchronized Path once(String name, Installation installation) throws Exception {
		Path servers = Files.createDirectories(Path.of(System.getProperty("test.servers", "target")).toAbsolutePath());
		Path directory = servers.resolve(name);
		Path complete = directory.resolve("complete");
		// Tests of another JVM may be about to make it, too.
		try (FileChannel channel = FileChannel.open(servers.resolve(name + ".lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
			assert lock.isValid();
			if (!Files.exists(complete)) {
				FileSystemUtils.deleteRecursively(directory);
				installation.into(Files.createDirectory(directory));
				Files.createFile(complete);
			}
		}
		return directory;
	}

	/** Copies a directory, with the permissions of what is in it. */
	static void copy(Path directory, Path target) throws IOException, InterruptedException {
		run(List.of("cp", "-Rp", directory.toString(), target.toString()));
	}

	/** Runs a command until it ends by itself, without a failure. */
	static void run(List<String> command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException(String.join(" ", command) + " failed: " + output);
		}
	}

	/**
	 * Fills a directory.
	 */
	interface Installation {

		void into(Path directory) throws Exception;

	}

}
