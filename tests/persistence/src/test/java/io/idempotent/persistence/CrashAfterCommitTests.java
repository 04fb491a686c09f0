package io.idempotent.persistence;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.SubmissionRefusedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A process dies between the commit and the record. Another one has no second effect, and
 * knows the result.
 */
@Tag("slow")
class CrashAfterCommitTests {

	private static final Duration LEASE_AND_MORE = Duration.ofSeconds(20);

	@Test
	void noLibraryWritesTwice(@TempDir Path directory) throws Exception {
		AtomicInteger runs = new AtomicInteger();
		try (Database database = new Database()) {
			Process process = pay(database, directory);
			try (Shops shops = Shops.start(database.payments(), database.reports(), runs::incrementAndGet)) {
				assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
				assertThat(process.exitValue()).as(() -> directory.resolve("log").toString())
					.isEqualTo(PayingProcess.DIED);
				for (String library : PayingProcess.LIBRARIES) {
					String payment = PayingProcess.payment(library);
					String result = await().atMost(LEASE_AND_MORE)
						.ignoreExceptionsInstanceOf(SubmissionRefusedException.class)
						.until(() -> shops.pay(library, payment), (paid) -> true);
					assertThat(result).isEqualTo("paid " + payment);
					assertThat(database.count(payment)).isOne();
				}
			}
			finally {
				process.destroyForcibly();
			}
			assertThat(database.receipts()).isEqualTo(PayingProcess.LIBRARIES.size());
		}
		assertThat(runs).hasValue(0);
	}

	private static Process pay(Database database, Path directory) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx192m",
				"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				PayingProcess.class.getName(), database.payments(), database.reports())
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("log").toFile())
			.start();
	}

}
