package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.other.PackagePrivateController;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * An annotation that cannot work stops the application before it serves anybody, and what
 * is printed names the method, the value, the reason and the way out.
 */
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(properties = "idempotent.store.type=local")
class InvalidAnnotationTests {

	@Autowired
	private HttpIdempotency idempotency;

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					stream | returns StreamingResponseBody | Return a body
					unparsable | "#sku +* 1" does not parse | Correct the attribute
					noParameter | names #user | are [sku]
					unresolvableKey | shop.key |
					unresolvableTime | shop.lease |
					unresolvableName | shop.name | Correct the attribute
					noTime | lease is "0s", but it must be positive | such as 30s
					soon | retention "soon" is not a duration | 300ms, 30s or 24h
					eternity | retention "99999999999999999d" is not a duration |
					shortLease | lease is "5", but a lease that short ends before it can be renewed | give at least 100ms, or rather seconds: 30s
					undecided | its compared fields are [a] and its ignored fields [b] | leave the other list empty
					asking | there is no OutcomeVerifier bean | Define exactly one bean of type io.idempotent.OutcomeVerifier
					recovering | its recoverer is 'missing', but there is no such bean | io.idempotent.OutcomeRecoverer
					twoKeys | has a key expression, which makes the content the key | choose one
					""")
	void anAttributeThatCannotWorkIsRefused(String method, String reason, @Nullable String more) {
		assertRefused(Mockito.mock(Attributes.class), method, "." + method + " ", reason, (more != null) ? more : "");
	}

	@Test
	void twoMethodsMayNotHaveOneName() {
		Attributes controller = Mockito.mock();
		refusal(controller, "twin");
		assertRefused(controller, "other", ".other has the name 'order', which belongs to", "Give one of them");
	}

	@Test
	void controllersMayNotInheritOneName() {
		refusal(new PackagePrivateController(), "named");
		assertRefused(new Inheriting(), "named", "PackagePrivateController.named has the name 'inherited'",
				"belongs to", "leave the name out");
	}

	@Test
	void aMethodThatCannotBeInterceptedIsRefused() {
		assertRefused(new Fine(), "create", "Fine.create is not called through a proxy", "spring.aop.auto");
		assertRefused(new NotOverridable(), "fixed", "NotOverridable.fixed is final: no proxy can intercept its calls",
				"Remove 'final' from the method (in Kotlin: declare it open, without @JvmOverloads)");
		assertRefused(new NotOverridable(), "hidden",
				"NotOverridable.hidden is private: no proxy can intercept its calls",
				"Remove 'private' from the method");
		assertRefused(
				new Inheriting(), "create", "PackagePrivateController.create is package-private, and its bean "
						+ Inheriting.class.getName() + " is in another package or class loader",
				"Declare the method protected or public");
	}

	private void assertRefused(Object controller, String method, String... texts) {
		assertThat(refusal(controller, method)).hasMessageContainingAll(texts);
	}

	private StartUpException refusal(Object controller, String name) {
		Method method = Arrays.stream(ReflectionUtils.getAllDeclaredMethods(controller.getClass()))
			.filter((each) -> each.getName().equals(name) && each.isAnnotationPresent(ApiIdempotent.class))
			.findFirst()
			.orElseThrow();
		return catchThrowableOfType(StartUpException.class,
				() -> this.idempotency.isOperation(new HandlerMethod(controller, method),
						RequestMappingInfo.paths("/orders").methods(RequestMethod.POST).build()));
	}

	@Tag("slow")
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					wait-timeout=-1s | wait-timeout is '-1s', but it must be positive | such as 30s
					lease=5 | lease is '5ms', but a lease that short ends before it can be renewed | Give at least 100ms, or rather seconds: 30s
					replay-errors=200 | replay-errors is '200', but it is not the status of an error | 409, 4xx or 5xx
					when-unknown=ask | when-unknown is 'ask', but there is no OutcomeVerifier bean | Define exactly one bean
					receipt=on | receipt is 'on', but nothing keeps receipts | Set idempotent.guard.enabled=true
					""")
	void aPropertyIsReportedWithValueReasonAndAction(String property, String description, String action,
			CapturedOutput output) {
		refuses(Fine.class, output, List.of("idempotent.operations[Fine.create]." + property),
				"idempotent.operations[Fine.create]." + description, "(set by \"idempotent.operations[Fine.create].",
				action);
	}

	@Test
	@Tag("slow")
	void fieldsOfThePropertiesAreEitherComparedOrIgnored(CapturedOutput output) {
		refuses(Fine.class, output,
				List.of("idempotent.operations[Fine.create].compared-fields=a",
						"idempotent.operations[Fine.create].ignored-fields=b"),
				"idempotent.operations[Fine.create].compared-fields is 'a'",
				"idempotent.operations[Fine.create].ignored-fields is set as well, to b", "Set one of the two");
	}

	@Test
	@Tag("slow")
	void verificationByDefaultNeedsAVerifier(CapturedOutput output) {
		refuses(Fine.class, output, List.of("idempotent.defaults.when-unknown=ask"),
				"idempotent.defaults.when-unknown is 'ask', but there is no OutcomeVerifier bean to ask "
						+ "(operation 'Fine.create')",
				"Define exactly one bean of type io.idempotent.OutcomeVerifier");
	}

	@Test
	@Tag("slow")
	void theShortestLeaseStarts() {
		StartUp.run(List.of(Fine.class), "idempotent.operations[Fine.create].lease=100ms").close();
	}

	@Test
	@Tag("slow")
	void aBurntKeyIsKeptForTheLeaseAtLeast(CapturedOutput output) {
		refuses(Fine.class, output,
				List.of("idempotent.operations[Fine.create].retention=10s",
						"idempotent.operations[Fine.create].when-completed=burn"),
				"idempotent.operations[Fine.create].retention is '10s', but it is shorter than the lease (30s)",
				"Make the retention longer, or choose reject");
	}

	@Test
	@Tag("slow")
	void aReceiptIsKeptAsLongAsItsRecord(CapturedOutput output) {
		refuses(Fine.class, output,
				List.of("idempotent.guard.enabled=true", "spring.datasource.url=jdbc:h2:mem:receipts",
						"idempotent.guard.receipt.retention=1h", "idempotent.defaults.retention=36h"),
				"idempotent.defaults.retention is '36h', but receipts are kept for "
						+ "idempotent.guard.receipt.retention=1h only",
				"(operation 'Fine.create') (set by \"idempotent.defaults.retention\" from property source",
				"Set idempotent.guard.receipt.retention to at least 36h");
	}

	@Test
	@Tag("slow")
	void aLazyApplicationIsCheckedAtTheStartAsWell(CapturedOutput output) {
		refuses(Events.class, output, List.of("spring.main.lazy-initialization=true"), "Events.create");
	}

	@Test
	@Tag("slow")
	void anUnknownOperationInThePropertiesIsReported(CapturedOutput output) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Fine.class),
				"idempotent.operations[Fine.creat].lease=1m", "idempotent.operations[Fine.create].lease=1m")) {
			assertThat(context.isRunning()).isTrue();
			assertThat(output).contains("idempotent.operations has settings of [Fine.creat], "
					+ "but the annotated operations are [Fine.create]");
		}
	}

	@Test
	@Tag("slow")
	void withoutAnUnknownOperationNothingIsReported(CapturedOutput output) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Fine.class),
				"idempotent.operations[Fine.create].lease=1m", "idempotent.operations[Fine.create].waitTimeout=1s",
				"idempotent.operations[Fine.create].ignored-fields[0]=a",
				"idempotent.operations[Fine.create].replay-errors=409")) {
			assertThat(context.isRunning()).isTrue();
			assertThat(output).doesNotContain("idempotent.operations has settings");
		}
	}

	@Test
	@Tag("slow")
	void aMethodIsNotCalledOnAnotherThread(CapturedOutput output) {
		refuses(Elsewhere.class, output, List.of(), "Elsewhere.create is called on another thread (@Async)",
				"Remove @Async");
	}

	private static void refuses(Class<?> controller, CapturedOutput output, List<String> properties,
			String... printed) {
		Throwable failure = StartUp.failure(controller, properties.toArray(String[]::new));
		assertThat(failure).isInstanceOf(StartUpException.class);
		assertThat(output).contains("APPLICATION FAILED TO START").contains(printed);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class, IdempotencyAutoConfiguration.class,
			IdempotencyWebMvcAutoConfiguration.class })
	static class Application {

	}

	interface Attributes {

		@ApiIdempotent
		StreamingResponseBody stream();

		@ApiIdempotent(key = "#sku +* 1")
		String unparsable(String sku);

		@ApiIdempotent(key = "#user")
		String noParameter(String sku);

		@ApiIdempotent(key = "${shop.key}")
		String unresolvableKey(String sku);

		@ApiIdempotent(lease = "${shop.lease}")
		String unresolvableTime();

		@ApiIdempotent(name = "${shop.name}")
		String unresolvableName();

		@ApiIdempotent(lease = "0s")
		String noTime();

		@ApiIdempotent(retention = "soon")
		String soon();

		@ApiIdempotent(retention = "99999999999999999d")
		String eternity();

		@ApiIdempotent(lease = "5")
		String shortLease();

		@ApiIdempotent(comparedFields = "a", ignoredFields = "b")
		String undecided();

		@ApiIdempotent(whenUnknown = WhenUnknown.ASK)
		String asking();

		@ApiIdempotent(recoverer = "missing")
		String recovering();

		@ApiIdempotent(value = KeySource.HEADER, key = "#sku")
		String twoKeys(String sku);

		@ApiIdempotent(name = "order")
		String twin();

		@ApiIdempotent(name = "order")
		String other();

	}

	@RestController
	static class Fine {

		@ApiIdempotent
		@PostMapping("/orders")
		String create(String sku) {
			return sku;
		}

	}

	static class NotOverridable {

		@ApiIdempotent
		final String fixed() {
			return "";
		}

		@ApiIdempotent
		@SuppressWarnings("UnusedMethod")
		private String hidden() {
			return "";
		}

	}

	@RestController
	static class Events {

		@ApiIdempotent
		@PostMapping("/orders")
		SseEmitter create() {
			return new SseEmitter();
		}

	}

	@RestController
	@Async
	@EnableAsync
	static class Elsewhere {

		@ApiIdempotent
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	static class Inheriting extends PackagePrivateController {

	}

}
