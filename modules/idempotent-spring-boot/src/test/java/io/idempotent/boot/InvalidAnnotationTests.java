package io.idempotent.boot;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.other.PackagePrivateController;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An annotation that cannot work stops the application before it serves anybody, and what
 * is printed names the method, the value, the reason and the way out.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class InvalidAnnotationTests {

	@Test
	void aStreamingResponseBodyCannotBeRecorded(CapturedOutput output) {
		refuses(Streaming.class, output, "Streaming.create", "returns StreamingResponseBody", "Return a body");
	}

	@Test
	void serverSentEventsCannotBeRecorded(CapturedOutput output) {
		refuses(Events.class, output, "Events.create", "returns SseEmitter", "remove @ApiIdempotent");
	}

	@Test
	void anExpressionMustParse(CapturedOutput output) {
		refuses(Unparsable.class, output, "Unparsable.create", "\"#sku +* 1\" does not parse", "Correct the attribute");
	}

	@Test
	void anExpressionMayOnlyNameParameters(CapturedOutput output) {
		refuses(NoParameter.class, output, "NoParameter.create", "names #user", "are [sku]");
	}

	@Test
	void anExpressionMayOnlyNamePlaceholdersThatResolve(CapturedOutput output) {
		refuses(UnresolvableKey.class, output, "UnresolvableKey.create", "shop.key");
	}

	@Test
	void aTimeMayOnlyNamePlaceholdersThatResolve(CapturedOutput output) {
		refuses(UnresolvableTime.class, output, "UnresolvableTime.create", "shop.lease");
	}

	@Test
	void aNameMayOnlyNamePlaceholdersThatResolve(CapturedOutput output) {
		refuses(UnresolvableName.class, output, "UnresolvableName.create", "shop.name", "Correct the attribute");
	}

	@Test
	void aTimeInTheAnnotationMustBePositive(CapturedOutput output) {
		refuses(NoTime.class, output, "NoTime.create", "lease", "\"0s\"", "must be positive", "such as 30s");
	}

	@Test
	void aTimeInTheAnnotationMustParse(CapturedOutput output) {
		refuses(Soon.class, output, "Soon.create", "retention \"soon\" is not a duration", "300ms, 30s or 24h");
	}

	@Test
	void aTimeInTheAnnotationMustFit(CapturedOutput output) {
		refuses(Eternity.class, output, "Eternity.create", "retention \"99999999999999999d\" is not a duration");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					wait-timeout=-1s | wait-timeout is '-1s', but it must be positive | such as 30s
					lease=5 | lease is '5ms', but a lease that short ends before it can be renewed | Give at least 100ms, or rather seconds: 30s
					wait-timeout=400d | wait-timeout is '400d', but it is longer than a year | Give a time such as 30s
					replay-errors=200 | replay-errors is '200', but it is not the status of an error | 409, 4xx or 5xx
					when-unknown=ask | when-unknown is 'ask', but there is no OutcomeVerifier bean | Define exactly one bean
					receipt=on | receipt is 'on', but nothing keeps receipts | Set idempotent.guard.enabled=true
					""")
	void aPropertyIsReportedWithValueReasonAndAction(String property, String description, String action,
			CapturedOutput output) {
		refusesProperty(Fine.class, output, List.of("idempotent.operations[Fine.create]." + property),
				"idempotent.operations[Fine.create]." + description, "(set by \"idempotent.operations[Fine.create].",
				action);
	}

	@Test
	void fieldsOfThePropertiesAreEitherComparedOrIgnored(CapturedOutput output) {
		refusesProperty(Fine.class, output,
				List.of("idempotent.operations[Fine.create].compared-fields=a",
						"idempotent.operations[Fine.create].ignored-fields=b"),
				"idempotent.operations[Fine.create].compared-fields is 'a'",
				"idempotent.operations[Fine.create].ignored-fields is set as well, to b", "Set one of the two");
	}

	@Test
	void verificationByDefaultNeedsAVerifier(CapturedOutput output) {
		refusesProperty(Fine.class, output, List.of("idempotent.defaults.when-unknown=ask"),
				"idempotent.defaults.when-unknown is 'ask', but there is no OutcomeVerifier bean to ask "
						+ "(operation 'Fine.create')",
				"Define exactly one bean of type io.idempotent.OutcomeVerifier");
	}

	@Test
	void aLeaseInTheAnnotationMustBeLongEnoughToBeRenewed(CapturedOutput output) {
		refuses(ShortLease.class, output, "ShortLease.create", "lease is \"5\"", "ends before it can be renewed",
				"give at least 100ms, or rather seconds: 30s");
	}

	@Test
	void theShortestLeaseStarts() {
		StartUp.run(List.of(Fine.class), "idempotent.operations[Fine.create].lease=100ms").close();
	}

	@Test
	void aBurntKeyIsKeptForTheLeaseAtLeast(CapturedOutput output) {
		refusesProperty(Fine.class, output,
				List.of("idempotent.operations[Fine.create].retention=10s",
						"idempotent.operations[Fine.create].when-completed=burn"),
				"idempotent.operations[Fine.create].retention is '10s', but it is shorter than the lease (30s)",
				"Make the retention longer, or choose reject");
	}

	@Test
	void theRetentionMayBeShorterThanTheLease() {
		StartUp.run(List.of(ShortRetention.class), "idempotent.defaults.retention=1s").close();
	}

	@Test
	void twoMethodsMayNotHaveOneName(CapturedOutput output) {
		refuses(Namesakes.class, output, "Namesakes.", "has the name 'order'", "belongs to", "Give one of them");
	}

	@Test
	void controllersMayNotInheritOneName(CapturedOutput output) {
		refuses(Heirs.class, output, "Parent.create", "has the name 'inherited'", "belongs to", "leave the name out");
	}

	@Test
	void fieldsAreEitherComparedOrIgnored(CapturedOutput output) {
		refuses(Undecided.class, output, "Undecided.create", "its compared fields are [a] and its ignored fields [b]",
				"leave the other list empty");
	}

	@Test
	void verificationNeedsAVerifier(CapturedOutput output) {
		refuses(Asking.class, output, "Asking.create", "there is no OutcomeVerifier bean",
				"Define exactly one bean of type io.idempotent.OutcomeVerifier");
	}

	@Test
	void aReceiptIsKeptAsLongAsItsRecord(CapturedOutput output) {
		refusesProperty(Fine.class, output,
				List.of("idempotent.guard.enabled=true", "spring.datasource.url=jdbc:h2:mem:receipts",
						"idempotent.guard.receipt.retention=1h", "idempotent.defaults.retention=36h"),
				"idempotent.defaults.retention is '36h', but receipts are kept for "
						+ "idempotent.guard.receipt.retention=1h only",
				"(operation 'Fine.create') (set by \"idempotent.defaults.retention\" from property source",
				"Set idempotent.guard.receipt.retention to at least 36h");
	}

	@Test
	void aRecovererMustBeABean(CapturedOutput output) {
		refuses(Recovering.class, output, "Recovering.create", "its recoverer is 'missing'", "no such bean",
				"io.idempotent.OutcomeRecoverer");
	}

	@Test
	void aKeyExpressionAndTheHeaderContradictEachOther(CapturedOutput output) {
		refuses(TwoKeys.class, output, "TwoKeys.create", "has a key expression", "HEADER", "choose one");
	}

	@Test
	void aControllerWithoutAProxyIsRefused(CapturedOutput output) {
		// Spring's transactions would bring proxies along.
		String noTransactions = "spring.autoconfigure.exclude=" + TransactionAutoConfiguration.class.getName();
		refuses(Fine.class, output, List.of("spring.aop.auto=false", noTransactions), "Fine.create",
				"is not called through a proxy", "spring.aop.auto");
	}

	@Test
	void aFinalMethodIsRefused(CapturedOutput output) {
		refuses(FinalMethod.class, output, "FinalMethod.create is final: no proxy can intercept its calls",
				"Remove 'final' from the method (in Kotlin: declare it open)");
	}

	@Test
	void aPrivateMethodIsRefused(CapturedOutput output) {
		refuses(PrivateMethod.class, output, "PrivateMethod.create is private: no proxy can intercept its calls",
				"Remove 'private' from the method");
	}

	@Test
	void aFinalControllerGetsNoProxy() {
		assertThat(StartUp.failure(FinalController.class)).hasStackTraceContaining("AopConfigException");
	}

	@Test
	void aLazyApplicationIsCheckedAtTheStartAsWell(CapturedOutput output) {
		refuses(Events.class, output, List.of("spring.main.lazy-initialization=true"), "Events.create");
	}

	@Test
	void anUnknownOperationInThePropertiesIsReported(CapturedOutput output) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Fine.class),
				"idempotent.operations[Fine.creat].lease=1m", "idempotent.operations[Fine.create].lease=1m")) {
			assertThat(context.isRunning()).isTrue();
			assertThat(output).contains("idempotent.operations has settings of [Fine.creat], "
					+ "but the annotated operations are [Fine.create]");
		}
	}

	@Test
	void withoutAnUnknownOperationNothingIsReported(CapturedOutput output) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Fine.class),
				"idempotent.operations[Fine.create].lease=1m", "idempotent.operations[Fine.create].waitTimeout=1s",
				"idempotent.operations[Fine.create].ignored-fields[0]=a",
				"idempotent.operations[Fine.create].replay-errors=409")) {
			assertThat(context.isRunning()).isTrue();
			assertThat(output).doesNotContain("idempotent.operations has settings");
		}
	}

	private static void refusesProperty(Class<?> controller, CapturedOutput output, List<String> properties,
			String... printed) {
		Throwable failure = StartUp.failure(controller, properties.toArray(String[]::new));
		assertThat(failure).isInstanceOf(InvalidConfigurationException.class);
		assertThat(output).contains("APPLICATION FAILED TO START").contains(printed);
	}

	@Test
	void aMethodIsNotCalledOnAnotherThread(CapturedOutput output) {
		refuses(Elsewhere.class, output, "Elsewhere.create is called on another thread (@Async)", "Remove @Async");
	}

	@Test
	void aMethodOfAnotherPackageMustBeVisible(CapturedOutput output) {
		refuses(Inheriting.class, output, "PackagePrivateController.create is package-private, and its bean "
				+ Inheriting.class.getName() + " is in another package or class loader",
				"Declare the method protected or public");
	}

	private static void refuses(Class<?> controller, CapturedOutput output, String... printed) {
		refuses(controller, output, List.of(), printed);
	}

	private static void refuses(Class<?> controller, CapturedOutput output, List<String> properties,
			String... printed) {
		Throwable failure = StartUp.failure(controller, properties.toArray(String[]::new));
		assertThat(failure).isInstanceOf(StartUpException.class);
		assertThat(output).contains("APPLICATION FAILED TO START").contains(printed);
	}

	@RestController
	static class Fine {

		@ApiIdempotent
		@PostMapping("/orders")
		String create(String sku) {
			return sku;
		}

	}

	@RestController
	static class Streaming {

		@ApiIdempotent
		@PostMapping("/orders")
		StreamingResponseBody create() {
			return (out) -> out.write(1);
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
	static class Unparsable {

		@ApiIdempotent(key = "#sku +* 1")
		@PostMapping("/orders")
		String create(String sku) {
			return sku;
		}

	}

	@RestController
	static class NoParameter {

		@ApiIdempotent(key = "#user")
		@PostMapping("/orders")
		String create(String sku) {
			return sku;
		}

	}

	@RestController
	static class TwoKeys {

		@ApiIdempotent(value = KeySource.HEADER, key = "#sku")
		@PostMapping("/orders")
		String create(String sku) {
			return sku;
		}

	}

	@RestController
	static class UnresolvableKey {

		@ApiIdempotent(key = "${shop.key}")
		@PostMapping("/orders")
		String create(String sku) {
			return sku;
		}

	}

	@RestController
	static class UnresolvableTime {

		@ApiIdempotent(lease = "${shop.lease}")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class UnresolvableName {

		@ApiIdempotent(name = "${shop.name}")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class NoTime {

		@ApiIdempotent(lease = "0s")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class ShortLease {

		@ApiIdempotent(lease = "5")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class Soon {

		@ApiIdempotent(retention = "soon")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class Eternity {

		@ApiIdempotent(retention = "99999999999999999d")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class ShortRetention {

		@ApiIdempotent(retention = "10s")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class Namesakes {

		@ApiIdempotent(name = "order")
		@PostMapping("/orders")
		String create() {
			return "";
		}

		@ApiIdempotent(name = "order")
		@PostMapping("/payments")
		String pay() {
			return "";
		}

	}

	abstract static class Parent {

		@ApiIdempotent(name = "inherited")
		@PostMapping("/create")
		public String create() {
			return "";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Heirs.One.class, Heirs.Other.class })
	static class Heirs {

		@RestController
		@RequestMapping("/one")
		static class One extends Parent {

		}

		@RestController
		@RequestMapping("/other")
		static class Other extends Parent {

		}

	}

	@RestController
	static class Undecided {

		@ApiIdempotent(comparedFields = "a", ignoredFields = "b")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class Asking {

		@ApiIdempotent(whenUnknown = WhenUnknown.ASK)
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class Recovering {

		@ApiIdempotent(recoverer = "missing")
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

	@RestController
	static class FinalMethod {

		@ApiIdempotent
		@PostMapping("/orders")
		final String create() {
			return "";
		}

		@GetMapping("/orders")
		String list() {
			return "";
		}

	}

	@RestController
	@SuppressWarnings("UnusedMethod")
	static class PrivateMethod {

		@ApiIdempotent
		@PostMapping("/orders")
		private String create() {
			return "";
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

	@RestController
	static class Inheriting extends PackagePrivateController {

	}

	@RestController
	static final class FinalController {

		@ApiIdempotent
		@PostMapping("/orders")
		String create() {
			return "";
		}

	}

}
