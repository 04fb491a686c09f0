package io.idempotent.http;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.StartUpAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.lock.RedissonClientAutoConfiguration;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The application on a real server and a free port.
 */
final class Server implements AutoCloseable {

	private static final List<Class<?>> STARTER = List.of(GuardAutoConfiguration.class,
			IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
			IdempotencyWebMvcAutoConfiguration.class, LockAutoConfiguration.class,
			RedissonClientAutoConfiguration.class, StartUpAutoConfiguration.class);

	private final ConfigurableApplicationContext context;

	private Server(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Server start(Container container, boolean withStarter, String... properties) {
		List<Class<?>> excluded = new ArrayList<>(List.of(container.other, DataRedisAutoConfiguration.class));
		if (!withStarter) {
			excluded.addAll(STARTER);
		}
		return new Server(new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties(
					"spring.autoconfigure.exclude=" + String.join(",", excluded.stream().map(Class::getName).toList()),
					"twins.planted=" + withStarter)
			.properties(Readings.sources().toArray(String[]::new))
			.properties(properties)
			.run());
	}

	int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/**
	 * How often handlers have run so far.
	 */
	int runs() {
		return this.context.getBean(RunCounter.class).count();
	}

	boolean knowsTheStarter() {
		return List.of(this.context.getBeanDefinitionNames()).stream().anyMatch((name) -> name.contains("dempotency"));
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * The servers that Spring Boot can embed.
	 */
	enum Container {

		TOMCAT(JettyServletWebServerAutoConfiguration.class),

		JETTY(TomcatServletWebServerAutoConfiguration.class);

		private final Class<?> other;

		Container(Class<?> other) {
			this.other = other;
		}

	}

}
