package io.idempotent.applications;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application of {@code docs/getting-started.md} is built from that page and the
 * tests that it links to, and from the installed artifacts, and its tests pass.
 */
@Tag("slow")
class GettingStartedTests {

	private static final Path TARGET = Path.of("target").toAbsolutePath();

	private static final Path PROJECT = TARGET.resolve("getting-started");

	private static final String FAST_START = String.join(" ", JavaProcess.FAST_START);

	@Test
	void theApplicationOfThePagePassesItsTests() throws Exception {
		PageApplication application = PageApplication.of(Path.of("../../docs/getting-started.md"));
		FileSystemUtils.deleteRecursively(PROJECT);
		application.writeTo(PROJECT);
		FileSystemUtils.copyRecursively(Path.of("src/getting-started"), PROJECT);
		// Without this directory Maven would take the configuration of this build.
		Files.createDirectories(PROJECT.resolve(".mvn"));
		Files.writeString(PROJECT.resolve(".mvn/jvm.config"), FAST_START);
		maven("-DargLine=" + FAST_START, "-gs", settings().toString(),
				"-Dmaven.repo.local=" + TARGET.resolve("local-repository"), "package");
		assertThat(testsThatRan()).containsExactlyInAnyOrder("BillingJobTests", "BillingTests",
				"CheckoutControllerTests", "OrderListenerTests", "PaymentControllerTests");
	}

	private static void maven(String... arguments) {
		String maven = Path.of(System.getProperty("maven.home"), "bin", "mvn").toString();
		ProcessBuilder builder = new ProcessBuilder(
				Stream.concat(Stream.of(maven, "-B", "-ntp"), Stream.of(arguments)).toList());
		builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
		// If a user exports it, Maven's script adds the options of this build.
		builder.environment().remove("MAVEN_OPTS");
		try (JavaProcess process = JavaProcess.start(builder.directory(PROJECT.toFile()).redirectErrorStream(true))) {
			process.finish();
		}
	}

	/** With what this machine has downloaded, as for the other applications. */
	private static Path settings() throws IOException {
		String repository = Path.of(System.getProperty("maven.repository")).toUri().toString();
		String settings = Files.readString(Path.of("src/it/settings.xml"));
		return Files.writeString(TARGET.resolve("getting-started-settings.xml"),
				settings.replace("@localRepositoryUrl@", repository));
	}

	private static List<String> testsThatRan() throws IOException {
		try (Stream<Path> reports = Files.list(PROJECT.resolve("target/surefire-reports"))) {
			return reports.map((report) -> report.getFileName().toString())
				.filter((name) -> name.endsWith("Tests.txt"))
				.map((name) -> name.substring("com.example.orders.".length(), name.length() - ".txt".length()))
				.toList();
		}
	}

}
