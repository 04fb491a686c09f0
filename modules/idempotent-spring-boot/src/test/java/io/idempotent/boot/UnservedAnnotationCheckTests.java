package io.idempotent.boot;

import java.util.List;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application is told that has an annotation, but nothing to act on it.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnservedAnnotationCheckTests {

	private static final List<Class<?>> ALL = List.of(IdempotencyAutoConfiguration.class,
			IdempotencyWebMvcAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
			LockAutoConfiguration.class, GuardAutoConfiguration.class, WebMvcAutoConfiguration.class,
			DataSourceAutoConfiguration.class, StartUpAutoConfiguration.class);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class,
				IdempotencyWebMvcAutoConfiguration.class, StartUpAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void aWebFluxApplicationDoesNotStart() {
		// What every WebFlux application has, by this name.
		this.runner.withUserConfiguration(Orders.class)
			.withBean("webHandler", WebHandler.class, Mockito::mock)
			.run((context) -> {
				assertThat(context).getFailure()
					.isInstanceOf(StartUpException.class)
					.hasMessageContaining("@ApiIdempotent Orders.place is in a WebFlux application");
				assertThat(new StartUpFailureAnalyzer(null).analyze(context.getStartupFailure()).getAction())
					.contains("spring-boot-starter-webmvc");
			});
	}

	@Test
	void anyBeanMayBeNamedLikeThatOfWebFlux() {
		this.runner.withUserConfiguration(Orders.class)
			.withBean("webHandler", Object.class, Object::new)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aSpringMvcApplicationWithoutTheWebModuleIsRefused() {
		this.runner.withUserConfiguration(Orders.class)
			.withBean("requestMappingHandlerMapping", Object.class, Object::new)
			.withClassLoader(new FilteredClassLoader(HttpIdempotency.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("Orders.place has no effect: the module idempotent-webmvc is not"));
	}

	@Test
	void anApplicationWithoutAWebServerIsWarned(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Nothing acts on @ApiIdempotent in this application").contains("Orders.place");
	}

	@Test
	void aMethodOfAServiceIsRefused() {
		this.runner.withUserConfiguration(Service.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("@ApiIdempotent Service.create handles no request"));
	}

	@Test
	void anApplicationWithoutTheAnnotationIsNotWarned(CapturedOutput output) {
		this.runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("Nothing acts on @ApiIdempotent");
	}

	@Test
	void aHandlerMethodFailsTheStart() {
		assertFails(IdempotencyWebMvcAutoConfiguration.class, Orders.class, "@ApiIdempotent Orders.place");
	}

	@Test
	void aHandlerMethodWhoseTransactionNobodyNotesFailsTheStart() {
		assertFails(IdempotencyCallAutoConfiguration.class, Orders.class, "@ApiIdempotent Orders.place");
	}

	@Test
	void aBeanMethodFailsTheStart() {
		assertFails(IdempotencyCallAutoConfiguration.class, Payments.class, "@Idempotent Payments.pay");
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

	static class Service {

		@ApiIdempotent
		String create() {
			return "created";
		}

	}

	static class Payments {

		@Idempotent(key = "#id")
		public void pay(String id) {
		}

	}

	static class Jobs {

		@DistributedLocked(name = "job")
		public void run() {
		}

	}

}
