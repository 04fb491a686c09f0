package io.idempotent.boot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Starts a real application with the local store, and says how that failed.
 */
public final class StartUp {

	private StartUp() {
	}

	/**
	 * Starts an application; what it has to say goes to the console.
	 * @param sources its controllers and configurations
	 * @param properties in the form {@code name=value}
	 */
	public static ConfigurableApplicationContext run(List<Class<?>> sources, String... properties) {
		List<Class<?>> all = new ArrayList<>(sources);
		all.add(Application.class);
		SpringApplication application = new SpringApplication(all.toArray(Class[]::new));
		application.setBannerMode(Banner.Mode.OFF);
		application.setDefaultProperties(Map.of("server.port", "0", "idempotent.store.type", "local"));
		return application.run(Arrays.stream(properties).map("--"::concat).toArray(String[]::new));
	}

	/**
	 * Starts an application that cannot start.
	 * @return why
	 */
	public static Throwable failure(Class<?> source, String... properties) {
		Throwable thrown = catchThrowable(() -> run(List.of(source), properties).close());
		if (thrown == null) {
			throw new AssertionError("The application started");
		}
		return thrown;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { SecurityAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
			SecurityFilterAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class,
			ManagementWebSecurityAutoConfiguration.class })
	static class Application {

	}

}
