package io.idempotent.sample;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;

import org.apache.commons.logging.Log;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Ignores {@code compose.yaml} where no Docker runs: Spring Boot would fail the start.
 */
final class ComposeOnlyWithDocker implements EnvironmentPostProcessor {

	private static final String ENABLED = "spring.docker.compose.enabled";

	private final Log logger;

	ComposeOnlyWithDocker(DeferredLogFactory logs) {
		this.logger = logs.getLog(ComposeOnlyWithDocker.class);
	}

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		if (environment.getProperty(ENABLED, boolean.class, false) && !dockerRuns()) {
			this.logger.warn("compose.yaml is ignored: there is no Docker here that answers 'docker compose ls'");
			environment.getPropertySources().addFirst(new MapPropertySource("noDocker", Map.of(ENABLED, false)));
		}
	}

	/** Asks what needs the command, its plugin and the daemon. */
	private static boolean dockerRuns() {
		try {
			return new ProcessBuilder("docker", "compose", "ls").redirectOutput(Redirect.DISCARD)
				.redirectError(Redirect.DISCARD)
				.start()
				.waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
