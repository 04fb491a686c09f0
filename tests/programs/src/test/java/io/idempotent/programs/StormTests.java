package io.idempotent.programs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.store.RecordEncryption;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storms on two nodes with one PostgreSQL: of each key at most one effect is committed,
 * and whoever is answered with success finds the effect there. 10,000 of them run with
 * {@code -Pprograms}; {@code -Didempotent.programs.storms=…} runs more or fewer.
 */
@Tag("slow")
class StormTests {

	private static final long SEED = Long.getLong("idempotent.programs.seed", 20_261_121L);

	private static final int COUNT = Integer.getInteger("idempotent.programs.storms", 300);

	private static final int MOST_TO_FIND = 300;

	private static final Set<String> QUIET = Set.of("io.idempotent", "org.springframework", "com.zaxxer.hikari");

	private static final LoggingSystem logging = LoggingSystem.get(StormTests.class.getClassLoader());

	private static TestPostgres server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@BeforeAll
	static void start() {
		server = TestPostgres.start();
		Storm.createTables(new JdbcTemplate(server.dataSource()));
	}

	@AfterAll
	static void stop() {
		server.close();
		QUIET.forEach((name) -> logging.setLogLevel(name, null));
	}

	@Test
	@Timeout(7_200)
	void noStormLeavesASecondEffectOrAnAnswerWithoutOne() throws Exception {
		System.out.println(COUNT + " storms from seed " + SEED);
		List<String> found = new ArrayList<>();
		storms("k", (beans) -> {
		}, COUNT, found, COUNT);
		assertThat(found).isEmpty();
	}

	@Test
	void aStormFindsThatTransactionsLeaveNoReceipt() throws Exception {
		List<String> found = new ArrayList<>();
		storms("mutant-", StormTests::hideTransactions, MOST_TO_FIND, found, 1);
		System.out.println("That transactions leave no receipt is found by storm " + found);
		assertThat(found).singleElement().asString().contains("effects");
	}

	private static void hideTransactions(GenericApplicationContext beans) {
		beans.registerBean(ReceiptRegistrar.class,
				() -> new ReceiptRegistrar(new ReceiptGuard(beans.getBean(DataSource.class), "idempotent_receipt",
						Duration.ofDays(30), Duration.ofSeconds(5), RecordEncryption.NONE)));
	}

	private void storms(String prefix, Consumer<GenericApplicationContext> change, int count, List<String> found,
			int most) throws Exception {
		try (ProgramStore store = new LocalProgramStore();
				StormNode first = StormNode.start(server.port(), store.client(0), change);
				StormNode second = StormNode.start(server.port(), store.client(1), change)) {
			QUIET.forEach((name) -> logging.setLogLevel(name, LogLevel.OFF));
			JdbcTemplate sql = new JdbcTemplate(server.dataSource());
			for (int i = 0; i < count && found.size() < most; i++) {
				String key = prefix + (SEED + i);
				List<String> deviations = new Storm(SEED + i, key, List.of(first, second), store, sql)
					.pass(this.threads);
				if (!deviations.isEmpty()) {
					found.add("seed " + (SEED + i) + ": " + deviations);
				}
			}
		}
		finally {
			this.threads.shutdownNow();
		}
	}

}
