package io.idempotent.aot;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.aot.bank.BankApplication;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.util.FileSystemUtils;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that Spring Boot's developer tools restart leaves nothing of its former
 * lives behind.
 */
@Tag("slow")
class DevtoolsRestartTests {

	private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();

	private static final int RESTARTS = 3;

	/**
	 * A bean of the application, and the beans that all others of the library refer to.
	 */
	private static final List<String> BEANS = List.of("io.idempotent.aot.bank.Ledger",
			"io.idempotent.submission.IdempotencyGate", "io.idempotent.lock.internal.EngineDistributedLocks");

	@Test
	void aRestartLeavesNoThreadsAndNoBeans(@TempDir Path directory) throws Exception {
		Path classes = directory.resolve("classes");
		FileSystemUtils.copyRecursively(TEST_CLASSES, classes);
		ClassPath classPath = ClassPath.ofTests()
			.without(TEST_CLASSES)
			.after(devtools())
			.ofJars(directory)
			.after(classes);
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				JavaProcess bank = AheadOfTime.java(Path.of(System.getProperty("java.home")),
						List.of("-XX:SoftRefLRUPolicyMSPerMB=0", "-Dspring.devtools.restart.poll-interval=200ms",
								"-Dspring.devtools.restart.quiet-period=100ms",
								"-Dspring.devtools.livereload.enabled=false", "-cp", classPath.toString(),
								BankApplication.class.getName(), "--spring.config.name=bank",
								"--spring.data.redis.port=" + redis.port()))) {
			use(AheadOfTime.awaitPort(bank, 1));
			List<String> threads = threads(bank);
			assertThat(threads).isNotEmpty();
			for (int restart = 1; restart <= RESTARTS; restart++) {
				change(classes);
				use(AheadOfTime.awaitPort(bank, restart + 1));
			}
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				// Some end by themselves when there is nothing to do.
				assertThat(threads(bank)).doesNotHaveDuplicates().isSubsetOf(threads);
				assertThat(instances(bank)).isEqualTo(Map.of(BEANS.get(0), 1, BEANS.get(1), 1, BEANS.get(2), 1));
			});
		}
	}

	/** Submits one payment by each way that starts threads or caches classes. */
	private static void use(int port) {
		RestClient client = RestClient.create("http://localhost:" + port);
		for (String path : List.of("/by-header", "/by-content", "/by-method", "/by-method", "/audit")) {
			String body = client.post()
				.uri(path)
				.header("Idempotency-Key", "\"" + port + path + "\"")
				.header("Content-Type", "application/json")
				.body("{\"id\": \"%d%s\", \"amount\": 1}".formatted(port, path))
				.retrieve()
				.body(String.class);
			assertThat(body).isNotEmpty();
		}
	}

	private static void change(Path classes) throws IOException {
		Files.setLastModifiedTime(classes.resolve("io/idempotent/aot/bank/Ledger.class"),
				FileTime.fromMillis(System.currentTimeMillis() + 2000));
	}

	private static List<String> threads(JavaProcess bank) {
		return bank.jcmd("Thread.print")
			.lines()
			.filter((line) -> line.startsWith("\"idempotent-"))
			.map((line) -> line.substring(1, line.indexOf('"', 1)))
			.sorted()
			.toList();
	}

	/** How many there are of each bean after a full collection. */
	private static Map<String, Integer> instances(JavaProcess bank) {
		return bank.jcmd("GC.class_histogram")
			.lines()
			.map((line) -> line.trim().split(" +"))
			.filter((columns) -> columns.length > 3 && BEANS.contains(columns[3]))
			.collect(Collectors.toMap((columns) -> columns[3], (columns) -> Integer.valueOf(columns[1]), Integer::sum));
	}

	private static Path devtools() {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((entry) -> entry.getFileName().toString().startsWith("spring-boot-devtools"))
			.findFirst()
			.orElseThrow();
	}

}
