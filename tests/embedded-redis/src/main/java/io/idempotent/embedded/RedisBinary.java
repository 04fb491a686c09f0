package io.idempotent.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The server's executable for one platform, as a resource on the class path.
 *
 * @param system the operating system, as Java names it
 * @param processor the processor, as Java names it
 */
record RedisBinary(String system, String processor) {

	static RedisBinary forThisMachine() {
		return new RedisBinary(System.getProperty("os.name"), System.getProperty("os.arch"));
	}

	boolean isAvailable() {
		String resource = resource();
		return resource != null && RedisBinary.class.getResource(resource) != null;
	}

	Path unpackInto(Path directory) throws IOException {
		Path executable = directory.resolve("redis-server");
		try (InputStream content = open()) {
			Files.copy(content, executable);
		}
		Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("r-x------"));
		return executable;
	}

	private InputStream open() {
		String resource = resource();
		InputStream content = (resource != null) ? RedisBinary.class.getResourceAsStream(resource) : null;
		if (content == null) {
			throw new UnsupportedOperationException("There is no embedded Redis for " + this.system + " on "
					+ this.processor + ". Start a Redis yourself and set spring.data.redis.host and "
					+ "spring.data.redis.port (or spring.data.redis.url).");
		}
		return content;
	}

	private @Nullable String resource() {
		String platform = platform();
		String architecture = architecture();
		return (platform != null && architecture != null) ? "/redis-server-7.0.15-" + platform + "-" + architecture
				: null;
	}

	private @Nullable String platform() {
		String name = this.system.toLowerCase(Locale.ROOT);
		if (name.startsWith("linux")) {
			return "linux";
		}
		return name.startsWith("mac") ? "darwin" : null;
	}

	private @Nullable String architecture() {
		return switch (this.processor) {
			case "amd64", "x86_64" -> "amd64";
			case "aarch64", "arm64" -> "arm64";
			default -> null;
		};
	}

}
