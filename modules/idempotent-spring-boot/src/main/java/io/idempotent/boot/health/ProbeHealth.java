package io.idempotent.boot.health;

import java.time.Duration;
import java.util.concurrent.Callable;

import io.idempotent.boot.internal.store.RareProbe;
import io.idempotent.boot.internal.store.RareProbe.Answer;
import io.idempotent.logging.DurationText;

import org.springframework.boot.health.contributor.Health;
import org.springframework.util.StringUtils;

/**
 * The health of a server, checked by one thread at a time. A result counts for five
 * seconds, and the server has one second to respond.
 *
 * @param <T> the type of the answer
 */
final class ProbeHealth<T> {

	static final Duration INTERVAL = Duration.ofSeconds(5);

	static final Duration PATIENCE = Duration.ofSeconds(1);

	private final RareProbe<T> probe;

	ProbeHealth(String threadName, Callable<T> question) {
		this.probe = new RareProbe<>(threadName, INTERVAL, question);
	}

	/**
	 * Checks whether the server works. Blocks for a second at most.
	 * @param health is {@code UP} afterwards, or {@code DOWN} with what is wrong
	 * @param consequence what happens while the server does not work
	 */
	Answer<T> check(Health.Builder health, String consequence) {
		Answer<T> answer = this.probe.ask(PATIENCE);
		if (answer instanceof Answer.Given<T>) {
			health.up();
		}
		else {
			health.down().withDetail("problem", problem(answer)).withDetail("consequence", consequence);
		}
		return answer;
	}

	private static <T> String problem(Answer<T> answer) {
		if (answer instanceof Answer.Pending<T> pending) {
			return "It has not responded for " + DurationText.ofMeasured(pending.since());
		}
		return (answer instanceof Answer.Failed<T> failed) ? message(failed.cause()) : "";
	}

	private static String message(Throwable failure) {
		String message = failure.getMessage();
		return StringUtils.hasText(message) ? message : failure.getClass().getName();
	}

}
