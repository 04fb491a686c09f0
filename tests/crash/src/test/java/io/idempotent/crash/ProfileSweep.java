package io.idempotent.crash;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;

import io.idempotent.crash.FaultyCommits.CommitFault;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.Unchecked;
import org.awaitility.Awaitility;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * One application of one profile, with receipts, and the submissions that it gets.
 */
final class ProfileSweep implements AutoCloseable {

	static final List<String> OPERATIONS = List.of("plain", "unique", "mapped", "returned", "retrying");

	private static final int STEPS = 7;

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final String profile;

	private final ConfigurableApplicationContext context;

	private final ProfileApplication application;

	private final FaultyCommits commits;

	private final JdbcClient database;

	ProfileSweep(String profile, EmbeddedRedis redis) {
		this.profile = profile;
		this.context = new SpringApplicationBuilder(ProfileApplication.class).run("--server.port=0",
				"--spring.main.banner-mode=off", "--logging.level.root=off", "--idempotent.web.profile=" + profile,
				"--idempotent.guard.enabled=true", "--idempotent.initialize-schema=never",
				"--idempotent.store.near-cache.enabled=false", "--spring.data.redis.host=" + redis.host(),
				"--spring.data.redis.port=" + redis.port());
		this.application = this.context.getBean(ProfileApplication.class);
		this.commits = this.context.getBean(FaultyCommits.class);
		this.database = JdbcClient.create(ProfileSweepTests.database.dataSource());
	}

	/**
	 * Submits one operation repeatedly.
	 * @param operation the operation
	 * @param steps what happens, in this order
	 * @return the history
	 */
	ProfileHistory run(String operation, ProfileStep... steps) throws Exception {
		String key = "\"" + UUID.randomUUID() + "\"";
		List<ProfileHistory.Answer> answers = new ArrayList<>();
		for (ProfileStep step : steps) {
			take(step, operation, key, answers);
		}
		take(ProfileStep.DELIVER, operation, key, answers);
		take(ProfileStep.SUBMIT, operation, key, answers);
		take(ProfileStep.SUBMIT, operation, key, answers);
		return new ProfileHistory(this.profile + " /" + operation + " "
				+ Arrays.stream(steps).map(ProfileStep::name).collect(Collectors.joining(" ")), answers);
	}

	/**
	 * Submits one operation, as a seed draws it.
	 */
	ProfileHistory run(String operation, Random random) throws Exception {
		ProfileStep[] all = ProfileStep.values();
		return run(operation,
				random.ints(STEPS, 0, all.length).mapToObj((index) -> all[index]).toArray(ProfileStep[]::new));
	}

	private void take(ProfileStep step, String operation, String key, List<ProfileHistory.Answer> answers)
			throws Exception {
		switch (step) {
			case SUBMIT -> submit(step, operation, key, answers);
			case REPLY_LOST, LATE, LOST -> {
				this.commits.breakNext(CommitFault.valueOf(step.name()));
				submit(step, operation, key, answers);
				this.commits.breakNext(null);
			}
			case DECLINED -> {
				this.application.declineNext(true);
				submit(step, operation, key, answers);
				this.application.declineNext(false);
			}
			case SLOW -> {
				this.application.meanwhile(() -> during(operation, key, answers));
				submit(step, operation, key, answers);
				this.application.meanwhile(null);
			}
			case DELIVER -> deliver();
			case FLUSH -> flush();
		}
	}

	/** The store loses the record while the operation runs, and another node runs it. */
	private void during(String operation, String key, List<ProfileHistory.Answer> answers) {
		flush();
		Unchecked.run(() -> submit(ProfileStep.SUBMIT, operation, key, answers));
	}

	private void submit(ProfileStep step, String operation, String key, List<ProfileHistory.Answer> answers)
			throws Exception {
		String submission = UUID.randomUUID().toString();
		boolean kept = isKept(key);
		int status = this.http.send(HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.context.getEnvironment().getProperty("local.server.port")
					+ "/" + operation))
			.header("Idempotency-Key", key)
			.header(ProfileApplication.SUBMISSION, submission)
			.POST(BodyPublishers.noBody())
			.build(), BodyHandlers.discarding()).statusCode();
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.until(() -> this.application.outcome(submission) != null);
		answers.add(new ProfileHistory.Answer(step.name(), status, String.valueOf(this.application.outcome(submission)),
				effects(key), kept));
	}

	private void deliver() throws SQLException {
		this.commits.deliver();
	}

	private void flush() {
		try (RedisConnection connection = this.context.getBean(RedisConnectionFactory.class).getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	private int effects(String key) {
		return this.database.sql("select count(*) from profile_effect where operation = ?")
			.param(key)
			.query(Integer.class)
			.single();
	}

	/** No key is known here: one operation after the other is submitted. */
	private boolean isKept(String key) {
		return effects(key) == 1 && this.database.sql("""
				select count(*) from idempotent_receipt
				where answer is not null and created_at = (select max(created_at) from idempotent_receipt)
				""").query(Integer.class).single() == 1;
	}

	@Override
	public void close() {
		this.context.close();
	}

}
