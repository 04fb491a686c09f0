package io.idempotent.boot;

import java.util.List;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An annotation whose auto-configuration the application has excluded.
 */
class ExcludedAutoConfigurationCheckTests {

	private static final List<Class<?>> ALL = List.of(IdempotencyAutoConfiguration.class,
			IdempotencyWebMvcAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
			LockAutoConfiguration.class, GuardAutoConfiguration.class, WebMvcAutoConfiguration.class,
			DataSourceAutoConfiguration.class, StartUpAutoConfiguration.class);

	@Test
	void aHandlerMethodFailsTheStart() {
		assertFails(IdempotencyWebMvcAutoConfiguration.class, Orders.class, "@ApiIdempotent Orders.place");
	}

	@Test
	void aBeanMethodFailsTheStart() {
		assertFails(IdempotencyCallAutoConfiguration.class, Payments.class, "@Idempotent Payments.pay");
	}

	@Test
	void anAnnotatedClassFailsTheStart() {
		assertFails(IdempotencyCallAutoConfiguration.class, Refunds.class, "@Idempotent Refunds.pay");
	}

	@Test
	void aLockedMethodFailsTheStart() {
		assertFails(LockAutoConfiguration.class, Jobs.class, "@DistributedLocked Jobs.run");
	}

	@Test
	void receiptsThatAreEnabledFailTheStart() {
		without(GuardAutoConfiguration.class).withPropertyValues("idempotent.guard.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("idempotent.guard.enabled is 'true', but "
						+ GuardAutoConfiguration.class.getName() + " is excluded"));
	}

	@Test
	void anExcludedGuardIsReportedBeforeWhatNeedsIt() {
		without(GuardAutoConfiguration.class).withUserConfiguration(Orders.class)
			.withPropertyValues("idempotent.guard.enabled=true", "idempotent.operations[Orders.place].receipt=on")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining(GuardAutoConfiguration.class.getName() + " is excluded"));
	}

	@Test
	void locksThatAreSwitchedOffAreNotRequired() {
		without(LockAutoConfiguration.class).withUserConfiguration(Jobs.class)
			.withPropertyValues("idempotent.lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void withoutAnnotationsNothingIsRequired() {
		Stream
			.of(IdempotencyWebMvcAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
					LockAutoConfiguration.class)
			.forEach((excluded) -> without(excluded).run((context) -> assertThat(context).hasNotFailed()));
	}

	private static void assertFails(Class<?> excluded, Class<?> annotated, String method) {
		without(excluded).withUserConfiguration(annotated)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining(method + " has no effect: " + excluded.getName() + " is excluded"));
	}

	private static WebApplicationContextRunner without(Class<?> excluded) {
		return new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations
				.of(ALL.stream().filter((configuration) -> configuration != excluded).toArray(Class<?>[]::new)))
			.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");
	}

	@RestController
	static class Orders {

		@ApiIdempotent
		@PostMapping("/orders")
		String place() {
			return "placed";
		}

	}

	static class Payments {

		@Idempotent(key = "#id")
		public void pay(String id) {
		}

	}

	@Idempotent(key = "#id")
	static class Refunds {

		public void pay(String id) {
		}

	}

	static class Jobs {

		@DistributedLocked(name = "job")
		public void run() {
		}

	}

}
