package io.idempotent.steps.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.idempotent.testing.TestPostgres;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that runs an operation of three steps ends before and after each statement,
 * commit and call. One repeat in another process completes the operation.
 */
@Tag("slow")
class ProcessDeathTests {

	/** Statements about steps and orders, a commit and two calls. */
	private static final int POINTS = 2 * (7 + 1 + 1 + 2);

	private static final String COMPLETE = "order for charge 1, orders: 1, effects: 2";

	@TempDir
	private Path directory;

	@Test
	void onH2NothingIsLostOrDoneTwice() throws Exception {
		assertComplete(onH2(true));
	}

	@Test
	void onPostgreSqlNothingIsLostOrDoneTwice() throws Exception {
		try (TestPostgres server = TestPostgres.start();
				StepsDatabase database = StepsDatabase.postgresql(server.url())) {
			assertComplete(sweep(database, server.url(), true));
		}
	}

	@Test
	void theSweepFindsACallWithoutItsKey() throws Exception {
		assertThat(onH2(false)).contains(COMPLETE, "order for charge 2, orders: 1, effects: 3");
	}

	private List<String> onH2(boolean withKey) throws Exception {
		Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:" + UUID.randomUUID()
				+ ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=5000;USER=sa";
		try (StepsDatabase database = StepsDatabase.h2(url)) {
			return sweep(database, url, withKey);
		}
		finally {
			server.stop();
		}
	}

	private static void assertComplete(List<String> outcomes) {
		assertThat(outcomes).containsOnly(COMPLETE).hasSize(POINTS);
	}

	/** Returns what has happened after one repeat, for each point. */
	private List<String> sweep(StepsDatabase database, String url, boolean withKey) throws Exception {
		List<String> outcomes = new ArrayList<>();
		Path log = this.directory.resolve("log");
		while (true) {
			try (ProviderServer provider = new ProviderServer()) {
				PaymentProcess payment = new PaymentProcess(url, provider.url(), UUID.randomUUID().toString(), withKey);
				int status = payment.die(outcomes.size() + 1, log);
				if (status == PaymentProcess.DONE) {
					return outcomes;
				}
				assertThat(status).as(Files.readString(log)).isEqualTo(PaymentProcess.DIED);
				outcomes.add(outcome(payment) + ", orders: " + database.orders(payment.item()) + ", effects: "
						+ provider.effects());
			}
		}
	}

	private static String outcome(PaymentProcess payment) {
		try {
			return payment.run(Points.counted());
		}
		catch (RuntimeException ex) {
			return ex.toString();
		}
	}

}
