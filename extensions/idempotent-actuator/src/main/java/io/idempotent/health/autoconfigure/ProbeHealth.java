package io.idempotent.health.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Callable;

import io.idempotent.boot.internal.store.RareProbe;
import io.idempotent.boot.internal.store.RareProbe.Answer;
import io.idempotent.logging.DurationText;

import org.springframework.util.StringUtils;

/** A server's health, checked by one thread at a time, every five seconds at most. */
final class ProbeHealth {

	static final Duration INTERVAL = Duration.ofSeconds(5);

	static final Duration PATIENCE = Duration.ofSeconds(1);

	private final RareProbe<?> probe;

	ProbeHealth(String threadName, Callable<?> check) {
		this.probe = new RareProbe<>(threadName, INTERVAL, check);
	}

	/**
	 * Reports the failure, if there is one, and its consequence. Blocks a second at most.
	 */
	void check(HealthReport report, String consequence) {
		Answer<?> answer = this.probe.ask(PATIENCE);
		if (!(answer instanceof Answer.Given<?>)) {
			report.down(problem(answer), consequence);
		}
	}

	private static String problem(Answer<?> answer) {
		if (answer instanceof Answer.Pending<?> pending) {
			return "It has not responded for " + DurationText.ofMeasured(pending.since());
		}
		return (answer instanceof Answer.Failed<?> failed) ? message(failed.cause()) : "";
	}

	private static String message(Throwable failure) {
		String message = failure.getMessage();
		return StringUtils.hasText(message) ? message : failure.getClass().getName();
	}

}
