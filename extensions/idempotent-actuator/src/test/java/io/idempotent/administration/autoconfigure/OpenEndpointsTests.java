package io.idempotent.administration.autoconfigure;

import java.util.Arrays;

import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.administration.autoconfigure.LockAdministrationAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The warning of endpoints that are open to every client.
 */
@ExtendWith(OutputCaptureExtension.class)
class OpenEndpointsTests {

	private static final String OPEN = "Every client that reaches ";

	private final WebApplicationContextRunner application = new WebApplicationContextRunner()
		.withInitializer((context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
		.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyAdministrationAutoConfiguration.class,
				LockAutoConfiguration.class, LockAdministrationAutoConfiguration.class))
		.withUserConfiguration(OpenEndpointsConfiguration.class)
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	@ParameterizedTest
	@CsvSource({ "idempotent, /actuator/idempotent", "locks, /actuator/locks" })
	void anOpenWritableEndpointIsLogged(String id, String path, CapturedOutput output) {
		start("management.endpoints.web.exposure.include=" + id, "management.endpoint." + id + ".access=unrestricted");
		assertThat(output).contains(OPEN + path + " can release operations or take locks away");
	}

	@Test
	void bothEndpointsAreLoggedInOneLine(CapturedOutput output) {
		start("management.endpoints.web.exposure.include=*", "management.endpoints.access.default=unrestricted");
		assertThat(output).containsOnlyOnce(OPEN).contains("/actuator/idempotent and /actuator/locks");
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.endpoints.web.exposure.include=health",
			"management.endpoint.locks.access=read-only", "management.endpoints.access.max-permitted=read-only" })
	void readOnlyEndpointsCauseNoWarning(String property, CapturedOutput output) {
		start("management.endpoints.web.exposure.include=locks", "management.endpoint.locks.access=unrestricted",
				property);
		assertThat(output).doesNotContain(OPEN);
	}

	@Test
	void springSecurityIsEnough(CapturedOutput output) {
		this.application.withUserConfiguration(Secured.class)
			.withPropertyValues("management.endpoints.web.exposure.include=locks",
					"management.endpoint.locks.access=unrestricted")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(OPEN);
	}

	private void start(String... properties) {
		this.application.withPropertyValues(properties).run((context) -> {
			assertThat(context).as(Arrays.toString(properties)).hasNotFailed();
		});
	}

	/**
	 * The name of Spring Security's filter.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Secured {

		@Bean
		Object springSecurityFilterChain() {
			return new Object();
		}

	}

}
