package io.idempotent.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Eight shops, each with the job that sends reminders, and so eager that they meet at
 * every batch; and what shops do that lock only themselves and leave no receipts.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class EightNodesRemindersTests {

	private static final int REMINDERS = 100;

	private static final Pattern SENT = Pattern.compile("Sent reminder (\\d+)");

	private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	private void start(int count, String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		all.addAll(List.of("--server.port=0", "--shop.reminders.delay=10ms", "--shop.reminders.hold=5ms",
				"--spring.datasource.url=jdbc:h2:mem:reminders-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1"));
		for (int i = 0; i < count; i++) {
			this.nodes.add(new SpringApplication(SampleOrderApplication.class).run(all.toArray(String[]::new)));
			if (i == 0) {
				all.add("--spring.data.redis.port=" + this.nodes.get(0).getBean(EmbeddedRedis.class).port());
			}
		}
	}

	@AfterEach
	void stop() {
		for (int i = this.nodes.size() - 1; i >= 0; i--) {
			this.nodes.get(i).close();
		}
	}

	@Test
	void eightNodesSendEachReminderOnce(CapturedOutput output) {
		start(8);
		List<Long> reminders = remind();
		assertThat(sent()).containsExactlyInAnyOrderElementsOf(reminders);
		assertThat(logged(output)).containsExactlyInAnyOrderElementsOf(reminders);
	}

	@Test
	void nodesThatLockOnlyThemselvesSendSomeOfThemAgain(CapturedOutput output) {
		start(3, "--idempotent.lock.engines=local", "--idempotent.lock.switching.enabled=false");
		List<Long> reminders = remind();
		assertThat(sent()).containsAll(reminders).hasSizeGreaterThan(REMINDERS);
		assertThat(logged(output)).containsAll(reminders).hasSizeGreaterThan(REMINDERS);
	}

	/**
	 * Asks for all reminders, at whichever node, lets all of them be due at one moment,
	 * and waits until none is left to be sent.
	 */
	private List<Long> remind() {
		List<Shop> shops = shops().toList();
		String reminder = "{\"phone\": \"4930123456\", \"text\": \"tea time\", \"at\": \"%s\"}"
			.formatted(Instant.now().plus(Duration.ofDays(1)));
		IntStream.range(0, REMINDERS)
			.mapToObj((i) -> shops.get(i % shops.size()).post("/reminders", reminder))
			.forEach((answer) -> assertThat(answer.statusCode()).isEqualTo(201));
		assertThat(sent()).isEmpty();
		database().sql("update reminder set due_at = current_timestamp").update();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> ids("select id from reminder where sent_at is null").isEmpty());
		return ids("select id from reminder");
	}

	private Stream<Shop> shops() {
		return this.nodes.stream().map(Shop::of);
	}

	private List<Long> sent() {
		return ids("select reminder_id from sent_message");
	}

	private static List<Long> logged(CapturedOutput output) {
		return SENT.matcher(output).results().map((MatchResult line) -> Long.valueOf(line.group(1))).toList();
	}

	private List<Long> ids(String query) {
		return database().sql(query).query(Long.class).list();
	}

	private JdbcClient database() {
		return this.nodes.get(0).getBean(JdbcClient.class);
	}

}
