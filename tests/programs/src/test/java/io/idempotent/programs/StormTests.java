package io.idempotent.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
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
		storms(Mutation.NONE, COUNT, found, COUNT);
		assertThat(found).isEmpty();
	}

	@Test
	void aStormFindsThatTransactionsLeaveNoReceipt() throws Exception {
		List<String> found = new ArrayList<>();
		storms(TransactionMutant.TRANSACTIONS_UNSEEN, MOST_TO_FIND, found, 1);
		System.out.println("TRANSACTIONS_UNSEEN is found by storm " + found);
		assertThat(found).singleElement().asString().contains("effects");
	}

	private void storms(Mutation mutation, int count, List<String> found, int most) throws Exception {
		try (ProgramStore store = new LocalProgramStore();
				StormNode first = StormNode.start(server.port(), store.client(0), mutation);
				StormNode second = StormNode.start(server.port(), store.client(1), mutation)) {
			QUIET.forEach((name) -> logging.setLogLevel(name, LogLevel.OFF));
			JdbcTemplate sql = new JdbcTemplate(server.dataSource());
			for (int i = 0; i < count && found.size() < most; i++) {
				String key = ((mutation != Mutation.NONE) ? "mutant-" : "k") + (SEED + i);
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
