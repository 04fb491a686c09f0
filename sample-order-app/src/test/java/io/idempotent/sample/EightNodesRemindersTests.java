package io.idempotent.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Eight shops, each with the job that sends reminders, and so eager that they meet at
 * every batch.
 */
@Tag("slow")
class EightNodesRemindersTests {

	private static final int REMINDERS = 100;

	private static final String[] EAGER = { "--shop.reminders.delay=10ms", "--shop.reminders.hold=5ms" };

	private static final Pattern SENT = Pattern.compile("Sent reminder (\\d+)");

	@Test
	void eightNodesSendEachReminderOnce(@TempDir Path directory) {
		try (Fleet fleet = Fleet.start(directory, 8, EAGER)) {
			JdbcClient database = fleet.database();
			List<Long> reminders = remind(fleet, database);
			assertThat(sent(database)).containsExactlyInAnyOrderElementsOf(reminders);
			assertThat(logged(fleet)).containsExactlyInAnyOrderElementsOf(reminders);
		}
	}

	@Test
	void eightNodesThatLockOnlyThemselvesSendSomeOfThemAgain(@TempDir Path directory) {
		try (Fleet fleet = Fleet.start(directory, 8, EAGER[0], EAGER[1], "--idempotent.lock.engines=local",
				"--idempotent.lock.switching.enabled=false")) {
			JdbcClient database = fleet.database();
			List<Long> reminders = remind(fleet, database);
			assertThat(sent(database)).containsAll(reminders).hasSizeGreaterThan(REMINDERS);
			assertThat(logged(fleet)).containsAll(reminders).hasSizeGreaterThan(REMINDERS);
		}
	}

	/**
	 * Asks for all reminders, at whichever node, lets all of them be due at one moment,
	 * and waits until none is left to be sent.
	 */
	private static List<Long> remind(Fleet fleet, JdbcClient database) {
		List<Shop> shops = fleet.shops();
		String reminder = "{\"phone\": \"4930123456\", \"text\": \"tea time\", \"at\": \"%s\"}"
			.formatted(Instant.now().plus(Duration.ofDays(1)));
		for (int i = 0; i < REMINDERS; i++) {
			assertThat(shops.get(i % shops.size()).post("/reminders", reminder).statusCode()).isEqualTo(201);
		}
		assertThat(sent(database)).isEmpty();
		database.sql("update reminder set due_at = current_timestamp").update();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> ids(database, "select id from reminder where sent_at is null").isEmpty());
		return ids(database, "select id from reminder");
	}

	private static List<Long> sent(JdbcClient database) {
		return ids(database, "select reminder_id from sent_message");
	}

	private static List<Long> logged(Fleet fleet) {
		return SENT.matcher(String.join("\n", fleet.log()))
			.results()
			.map((MatchResult line) -> Long.valueOf(line.group(1)))
			.toList();
	}

	private static List<Long> ids(JdbcClient database, String query) {
		return database.sql(query).query(Long.class).list();
	}

}
