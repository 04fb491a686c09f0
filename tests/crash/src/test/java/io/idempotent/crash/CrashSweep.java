package io.idempotent.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.idempotent.testing.JavaProcess;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Does harm to one process in the middle of many operations, some at each point and for
 * each treatment, and lets another process finish them.
 */
final class CrashSweep implements AutoCloseable {

	/** Of each point and treatment: one is repeated before the harm, one after it. */
	private static final int TRIALS = 2;

	private static final int LONGEST_MOMENT_MILLIS = 300;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** A last word may take several requests. */
	private static final Duration LONG_PATIENCE = Duration.ofMinutes(2);

	private final Client client = new Client();

	private final JdbcClient database;

	private final List<String> arguments;

	private final Random random;

	private final ConfigurableApplicationContext survivor;

	private JavaProcess victim;

	/**
	 * Starts a process that comes to harm, and the application in this one.
	 * @param database where their effects are
	 * @param arguments of their application
	 * @param random draws keys, order and moments
	 */
	CrashSweep(JdbcClient database, List<String> arguments, Random random) {
		this.database = database;
		this.arguments = arguments;
		this.random = random;
		this.victim = JavaProcess.start(CrashApplication.class, arguments);
		this.survivor = SpringApplication.run(CrashApplication.class, arguments.toArray(String[]::new));
	}

	/**
	 * One round of harm.
	 * @param manner what comes over the process
	 * @return what came of it
	 */
	List<Observation> run(Manner manner) throws Exception {
		if (!this.victim.isAlive()) {
			this.victim = JavaProcess.start(CrashApplication.class, this.arguments);
		}
		CompletableFuture<Void> harm = new CompletableFuture<>();
		CompletableFuture<Void> atTheirPoints = new CompletableFuture<>();
		List<Running> all = draw().stream().map((trial) -> begin(trial, atTheirPoints, harm)).toList();
		all.forEach((running) -> this.victim.await(Breakpoints.REACHED + Pattern.quote(running.trial().key()) + "$"));
		atTheirPoints.complete(null);
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(LONGEST_MOMENT_MILLIS));
		strike(manner, harm, all);
		return all.stream().map(this::observe).toList();
	}

	private List<Trial> draw() {
		List<Trial> trials = new ArrayList<>();
		for (Treatment treatment : Treatment.values()) {
			for (CrashPoint point : CrashPoint.values()) {
				for (int i = 0; i < TRIALS && treatment.passes(point); i++) {
					String key = treatment + "." + point + "." + Long.toHexString(this.random.nextLong());
					trials.add(new Trial(treatment, point, key, i == 0));
				}
			}
		}
		Collections.shuffle(trials, this.random);
		return trials;
	}

	private Running begin(Trial trial, CompletableFuture<Void> atTheirPoints, CompletableFuture<Void> harm) {
		String port = this.victim.await(CrashApplication.LISTENING + "(\\d+)");
		return new Running(trial, this.client.submit(port, trial).exceptionally((ex) -> null),
				(trial.early() ? atTheirPoints : harm).thenCompose((start) -> insist(trial)));
	}

	private CompletableFuture<Answer> insist(Trial trial) {
		return this.client.insist(this.survivor.getEnvironment().getRequiredProperty("local.server.port"), trial);
	}

	private void strike(Manner manner, CompletableFuture<Void> harm, List<Running> all) throws Exception {
		switch (manner) {
			case HALT -> {
				this.victim.send(CrashApplication.HALT);
				this.victim.awaitEnd();
			}
			case KILL -> this.victim.kill();
			case STOP -> {
				this.victim.pauseDuring(() -> {
					harm.complete(null);
					awaitSecond(all);
				});
				this.victim.send(CrashApplication.GO_ON);
			}
		}
		harm.complete(null);
	}

	/**
	 * Waits for the last words. Whoever waits for a transaction of the process that
	 * stands still has none before that goes on.
	 */
	private void awaitSecond(List<Running> all) {
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> all.stream()
				.filter((running) -> !running.second().isDone())
				.count() == waitingInTheDatabase());
	}

	private long waitingInTheDatabase() {
		return this.database.sql("select count(*) from pg_locks where not granted").query(Long.class).single();
	}

	private Observation observe(Running running) {
		Trial trial = running.trial();
		Answer first = await(trial, running.first());
		Answer second = await(trial, running.second());
		Answer third = await(trial, insist(trial));
		return new Observation(trial, first, second, third, effects(trial));
	}

	private static @Nullable Answer await(Trial trial, CompletableFuture<@Nullable Answer> answer) {
		return assertThat(answer).as("an answer to %s", trial).succeedsWithin(LONG_PATIENCE).actual();
	}

	private List<Long> effects(Trial trial) {
		return this.database.sql("select number from effect where operation = ?")
			.param(trial.key())
			.query(Long.class)
			.list();
	}

	@Override
	public void close() {
		this.survivor.close();
		this.victim.close();
	}

	private record Running(Trial trial, CompletableFuture<Answer> first, CompletableFuture<Answer> second) {
	}

	/**
	 * What comes over a process.
	 */
	enum Manner {

		/** {@link Runtime#halt} by the very threads that have reached their points. */
		HALT,

		/** {@code kill -9} from outside. */
		KILL,

		/** {@code kill -STOP}, for longer than the lease, and then {@code kill -CONT}. */
		STOP

	}

}
