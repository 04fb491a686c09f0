package io.idempotent.boot.internal.start;

import java.util.stream.Collectors;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.settings.Namespace;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Logs the configuration in one line after the start. Warns if no namespace is set.
 */
public final class StartUpLine implements ApplicationListener<ApplicationStartedEvent> {

	private static final Log logger = LogFactory.getLog(StartUpLine.class);

	private final IdempotentProperties properties;

	private final Environment environment;

	private final ObjectProvider<Detail> details;

	public StartUpLine(IdempotentProperties properties, Environment environment, ObjectProvider<Detail> details) {
		this.properties = properties;
		this.environment = environment;
		this.details = details;
	}

	@Override
	public void onApplicationEvent(ApplicationStartedEvent event) {
		String namespace = Namespace.in(this.environment);
		logger.info("Idempotency: namespace '" + namespace + "', "
				+ this.details.orderedStream().map(Detail::describe).collect(Collectors.joining(", ")));
		if (!StringUtils.hasText(this.properties.namespace())
				&& !StringUtils.hasText(this.environment.getProperty("spring.application.name"))) {
			logger.warn("Neither spring.application.name nor idempotent.namespace is set: the keys of this application "
					+ "are in the namespace '" + namespace
					+ "', which it shares with every other application on the same store that has no name either; set spring.application.name");
		}
	}

	/**
	 * A part of the line, without secrets. The parts have the order of their beans.
	 */
	public interface Detail {

		String describe();

	}

}
