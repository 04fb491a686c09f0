package io.idempotent.leftovers;

import java.time.Duration;
import java.util.stream.Collectors;

import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationListener;

/**
 * Records each application that a test starts, itself or in a process of its own.
 */
final class StartListener implements ApplicationListener<SpringApplicationEvent> {

	@Override
	public void onApplicationEvent(SpringApplicationEvent event) {
		if (event instanceof ApplicationStartedEvent started) {
			Duration time = started.getTimeTaken();
			ApplicationStarts.record((time != null) ? time : Duration.ZERO, name(event));
		}
		else if (event instanceof ApplicationFailedEvent) {
			ApplicationStarts.record(Duration.ZERO, name(event));
		}
	}

	/** The sources of the application: a test's main class is that of its runner. */
	private static String name(SpringApplicationEvent event) {
		return event.getSpringApplication()
			.getAllSources()
			.stream()
			.map((source) -> (source instanceof Class<?> type) ? type.getName() : source.toString())
			.collect(Collectors.joining(","));
	}

}
