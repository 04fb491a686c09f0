package io.idempotent.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.SpringBootVersion;

/**
 * On what and with what it was measured.
 */
final class Conditions {

	private static final Path CPU = Path.of("/proc/cpuinfo");

	private Conditions() {
	}

	static String asMarkdown() throws IOException {
		return String.join("\n",
				List.of("- " + LocalDate.now(ZoneOffset.UTC),
						"- " + processor() + ", " + Runtime.getRuntime().availableProcessors()
								+ " processors; servers, clients and load share them",
						"- " + System.getProperty("os.name") + " " + System.getProperty("os.version"),
						"- " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
						"- Spring Boot " + SpringBootVersion.getVersion()))
				+ "\n";
	}

	private static String processor() throws IOException {
		if (!Files.isReadable(CPU)) {
			return System.getProperty("os.arch");
		}
		try (Stream<String> lines = Files.lines(CPU)) {
			return lines.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst()
				.orElse(System.getProperty("os.arch"));
		}
	}

}
