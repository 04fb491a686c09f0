package io.idempotent.steps.autoconfigure;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.Resumable;
import io.idempotent.steps.autoconfigure.PaymentApplication.Basket;
import io.idempotent.steps.autoconfigure.PaymentApplication.Invoices;
import io.idempotent.steps.autoconfigure.PaymentApplication.NewOrder;
import io.idempotent.steps.autoconfigure.PaymentApplication.TestProvider;
import io.idempotent.support.StartUpException;
import io.idempotent.testing.Unchecked;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes over HTTP that share a database and nothing else. They live as long as the
 * class.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StepsAutoConfigurationTests {

	private static final String ORDER = "{\"item\":\"tea\",\"amount\":3}";

	private final TestProvider provider = new TestProvider();

	private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private final HttpClient http = HttpClient.newHttpClient();

	private ConfigurableApplicationContext node;

	private ConfigurableApplicationContext other;

	@BeforeAll
	void startNodes() {
		this.node = start("idempotent.steps.resume.enabled=false");
		this.node.getBean(JdbcTemplate.class).execute("create table orders (item varchar(100))");
		this.other = start("idempotent.steps.resume.enabled=false");
	}

	@BeforeEach
	void forget() {
		this.provider.forget();
		for (String table : List.of("orders", "idempotent_step", "idempotent_operation", "idempotent_receipt",
				"idempotent_record")) {
			this.node.getBean(JdbcTemplate.class).update("delete from " + table);
		}
	}

	@AfterAll
	void stopNodes() {
		this.node.close();
		this.other.close();
	}

	private ConfigurableApplicationContext start(String... properties) {
		return start(PaymentApplication.class, properties);
	}

	private ConfigurableApplicationContext start(Class<?> source, String... properties) {
		return PaymentApplication.start(this.provider, this.database, source, properties);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/payments", "/payments-by-content" })
	void aRepeatAtAnotherNodeContinues(String path) {
		this.provider.mailFails.set(true);
		assertThat(post(this.node, path, ORDER).statusCode()).isEqualTo(500);
		this.provider.mailFails.set(false);
		HttpResponse<String> repeat = post(this.other, path, ORDER);
		assertThat(repeat.statusCode()).isBetween(200, 201);
		assertThat(repeat.body()).contains("charge of tea for 3");
		assertThat(this.provider.charges).hasSize(1);
		assertThat(this.provider.mails).hasSize(1);
		assertThat(orders()).isOne();
	}

	@Test
	void anotherContentDoesNotContinue() {
		this.provider.mailFails.set(true);
		post(this.node, "/payments", ORDER);
		this.provider.mailFails.set(false);
		HttpResponse<String> changed = post(this.other, "/payments", "{\"item\":\"tea\",\"amount\":4}");
		assertThat(changed.statusCode()).isEqualTo(422);
		assertThat(changed.body()).contains("key-reused");
		assertThat(this.provider.mails).isEmpty();
	}

	private void failAtTheMail(Consumer<Invoices> call) {
		this.provider.mailFails.set(true);
		assertThatIllegalStateException().isThrownBy(() -> call.accept(this.node.getBean(Invoices.class)))
			.withMessage("The mail server is away");
		this.provider.mailFails.set(false);
	}

	@Test
	void anIdempotentMethodHasSteps() {
		failAtTheMail((invoices) -> invoices.issue("1"));
		assertThat(this.other.getBean(Invoices.class).issue("1")).isEqualTo("charge of 1");
		assertThat(this.provider.mails).hasSize(1);
		assertThatIllegalStateException().isThrownBy(this.node.getBean(OperationStepsFactory.class)::current)
			.withMessageContaining("No operation runs on this thread");
	}

	@Test
	void anOperatorSettlesAStepOverHttp() {
		this.provider.mailFails.set(true);
		post(this.node, "/payments", ORDER);
		String list = get(this.other, "/actuator/idempotentsteps").body();
		assertThat(list).contains("\"name\":\"mail\"", "The mail server is away");
		String id = list.replaceFirst("(?s).*\"id\":\"([^\"]+)\".*", "$1");
		String path = "/actuator/idempotentsteps/" + id;
		assertThat(get(this.other, path).body()).contains("\"charge\"", "\"book\"", "\"doneAt\"");
		assertThat(post(this.other, path, "{\"step\":\"mail\",\"action\":\"confirm\"}").statusCode()).isEqualTo(400);
		assertThat(post(this.other, path,
				"{\"step\":\"mail\",\"action\":\"confirm\",\"reason\":\"in the outbox\",\"result\":\"no JSON\"}")
			.statusCode()).isEqualTo(400);
		String confirm = "{\"step\":\"mail\",\"action\":\"confirm\",\"reason\":\"in the outbox\"}";
		assertThat(post(this.other, path, confirm).statusCode()).isEqualTo(200);
		assertThat(post(this.other, "/payments", ORDER).statusCode()).isEqualTo(201);
		assertThat(post(this.other, path, confirm).statusCode()).isEqualTo(409);
		assertThat(this.provider.mails).isEmpty();
		assertThat(get(this.other, "/actuator/idempotentsteps/" + "x".repeat(43)).statusCode()).isIn(400, 404);
	}

	@Test
	void aResumableMethodIsCalledAgainByAnotherNode() {
		failAtTheMail((invoices) -> invoices.remind(new NewOrder("tea", 3), List.of("a@example.com")));
		assertThat(get(this.node, "/actuator/idempotentsteps").body())
			.contains("\"resumption\":{\"times\":0,\"nextAt\":\"2");
		try (ConfigurableApplicationContext resuming = start("idempotent.guard.enabled=true")) {
			await().atMost(Duration.ofMinutes(1))
				.until(() -> resuming.getBean(MeterRegistry.class)
					.counter("idempotent.steps.resumed", "operation", "Invoices.remind", "outcome", "completed")
					.count() == 1);
		}
		assertThat(this.provider.mails).hasSize(1);
		assertThat(this.provider.charges).containsValue("charge of tea to [a@example.com]").hasSize(1);
		assertThat(get(this.other, "/actuator/idempotentsteps").body()).contains("\"unfinished\":[]");
	}

	@Test
	void aMethodIsCalledAgainWithTheArgumentsOfItsCaller() {
		Basket basket = new Basket();
		basket.number = "1";
		basket.total = 10;
		failAtTheMail((invoices) -> invoices.checkOut(basket));
		try (ConfigurableApplicationContext resuming = start("idempotent.guard.enabled=true")) {
			await().atMost(Duration.ofMinutes(1)).until(() -> resuming.isActive() && !this.provider.charges.isEmpty());
		}
		assertThat(this.provider.charges).containsValue("charge of 15");
	}

	@Test
	void aRepeatOfARequestContinuesTheResumableMethod() {
		this.provider.mailFails.set(true);
		assertThat(post(this.node, "/nested", "tea").statusCode()).isEqualTo(500);
		assertThat(post(this.node, "/nested", "coffee").statusCode()).as("another content").isEqualTo(422);
		this.provider.mailFails.set(false);
		for (int i = 0; i < 2; i++) {
			HttpResponse<String> repeat = post(this.node, "/nested", "tea");
			assertThat(repeat.body()).isEqualTo("charge of tea");
			assertThat(repeat.statusCode()).isEqualTo(200);
		}
		assertThat(this.provider.mails).hasSize(1);
	}

	@Test
	void anApplicationDoesNotCallOperationsOfAnotherNamespace() {
		failAtTheMail((invoices) -> invoices.remind(new NewOrder("tea", 3), List.of("a@example.com")));
		try (ConfigurableApplicationContext other = start("idempotent.namespace=wholesale")) {
			assertThat(other.isRunning()).isTrue();
			await().during(Duration.ofSeconds(3)).untilAsserted(() -> assertThat(this.provider.mails).isEmpty());
		}
	}

	/** JSON does not keep the order of this set, of which the key is written. */
	@Test
	void aCallWhoseKeyDiffersChargesNobodyTwice() {
		failAtTheMail((invoices) -> invoices.book(new LinkedHashSet<>(List.of("tea", "cake", "b", "a"))));
		try (ConfigurableApplicationContext resuming = start("idempotent.steps.resume.after=500ms")) {
			await()
				.until(() -> resuming.getBean(MeterRegistry.class).find("idempotent.steps.resumed").counter() != null);
			assertThat(this.provider.charges).hasSize(1);
		}
	}

	@Test
	void whatRunsInTheBackgroundIsThereInALazyApplication() {
		try (ConfigurableApplicationContext lazy = start("idempotent.guard.enabled=true",
				"spring.main.lazy-initialization=true")) {
			assertThat(lazy.getBeanFactory().containsSingleton("io.idempotent.operationStepsPurge")).isTrue();
			assertThat(lazy.getBeanFactory().containsSingleton("io.idempotent.operationStepsResumption")).isTrue();
		}
	}

	/** Otherwise a charge of the one would be followed by a mail of the other. */
	@Test
	void aRepeatOfAResumableMethodWithOtherArgumentsIsRefused() {
		failAtTheMail((invoices) -> invoices.remind(new NewOrder("tea", 3), List.of("a@example.com")));
		assertThatExceptionOfType(SubmissionRefusedException.class)
			.isThrownBy(
					() -> this.node.getBean(Invoices.class).remind(new NewOrder("tea", 4), List.of("b@example.com")))
			.withMessageContaining("key-reused");
	}

	@ParameterizedTest
	@ValueSource(classes = { NotRepeatable.class, NotStorable.class, Rejecting.class, Burning.class })
	void aResumableMethodThatCannotBeCalledAgainFailsTheStart(Class<?> source) {
		assertThatExceptionOfType(StartUpException.class)
			.isThrownBy(() -> start(source, "idempotent.guard.enabled=true"))
			.withMessageStartingWith("@Resumable " + source.getSimpleName() + ".run ");
	}

	static class NotRepeatable {

		@Resumable
		void run(String number) {
		}

	}

	/** Each call after a crash would be refused, until the operation is abandoned. */
	static class Rejecting {

		@Idempotent(key = "#number", whenUnknown = WhenUnknown.REJECT)
		@Resumable
		void run(String number) {
		}

	}

	static class Burning {

		@Idempotent(key = "#number", whenCompleted = WhenCompleted.BURN)
		@Resumable
		void run(String number) {
		}

	}

	static class NotStorable {

		@Idempotent(key = "'1'")
		@Resumable
		void run(InputStream content) {
		}

	}

	@Test
	void switchedOffStepsRunEachTime() {
		try (ConfigurableApplicationContext off = start("idempotent.enabled=false")) {
			for (int i = 0; i < 2; i++) {
				assertThat(post(off, "/payments", ORDER).statusCode()).isEqualTo(201);
			}
			assertThat(orders()).isEqualTo(2);
			assertThat(this.provider.charges).hasSize(2);
			assertThat(off.getBean(Invoices.class).issue("1")).isEqualTo("charge of 1");
		}
	}

	@Test
	void aHandlerThatIsNotIdempotentFailsTheStart() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> start(NotIdempotent.class, "idempotent.guard.enabled=true"))
			.withMessageContaining("not idempotent");
	}

	@RestController
	static class NotIdempotent {

		@PostMapping("/not-idempotent")
		String never(OperationSteps steps) {
			return "never";
		}

	}

	@Test
	void aTransactionBeforeTheFirstStepMustBeReadOnly() {
		TransactionTemplate transaction = new TransactionTemplate(this.node.getBean(PlatformTransactionManager.class));
		Consumer<String> remind = (key) -> this.node.getBean(IdempotencyTemplate.class)
			.executeWithoutResult("remind", key, (context) -> {
				transaction.executeWithoutResult((status) -> orders());
				this.node.getBean(OperationStepsFactory.class).of(context).external("mail", this.provider::mail);
			});
		assertThatIllegalStateException().isThrownBy(() -> remind.accept("1"))
			.withMessageContaining("before its first step")
			.withMessageContaining("readOnly = true");
		transaction.setReadOnly(true);
		remind.accept("2");
		assertThat(this.provider.mails).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			idempotent.guard.enabled=false | there are operations with steps
			idempotent.store.type=receipt  | idempotent.store.type is 'receipt'
			""")
	void withoutWhatStepsNeedTheStartFails(String properties, String reason) {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> start(properties))
			.satisfies((ex) -> assertThat(causes(ex)).anyMatch(
					(cause) -> cause instanceof InvalidConfigurationException && cause.getMessage().contains(reason)));
	}

	@Test
	void anApplicationWithoutStepsNeedsNoGuard() {
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class, StepsAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(StepsEndpoint.class));
	}

	@Test
	void aNativeImageHasItsFiles() {
		RuntimeHints hints = new RuntimeHints();
		new StepsAutoConfiguration.Hints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/idempotent/steps/schema-h2.sql")).accepts(hints);
	}

	@Test
	void withoutTheTablesTheStartFails() {
		JdbcTemplate sql = this.node.getBean(JdbcTemplate.class);
		sql.execute("alter table idempotent_step rename to kept_step");
		try {
			assertThatExceptionOfType(Exception.class)
				.isThrownBy(() -> start("idempotent.guard.enabled=true", "idempotent.initialize-schema=never"))
				.satisfies((ex) -> assertThat(causes(ex))
					.anyMatch((cause) -> String.valueOf(cause.getMessage()).contains("idempotent_step")));
		}
		finally {
			sql.execute("alter table kept_step rename to idempotent_step");
		}
	}

	private static Stream<Throwable> causes(Throwable ex) {
		return Stream.iterate(ex, (cause) -> cause != null, Throwable::getCause);
	}

	private int orders() {
		return this.node.getBean(JdbcTemplate.class).queryForObject("select count(*) from orders", Integer.class);
	}

	private HttpResponse<String> get(ConfigurableApplicationContext from, String path) {
		return send(request(from, path).build());
	}

	private HttpResponse<String> post(ConfigurableApplicationContext to, String path, String body) {
		return send(request(to, path).header("Content-Type", "application/json")
			.header("Idempotency-Key", "\"payment 1\"")
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build());
	}

	private static HttpRequest.Builder request(ConfigurableApplicationContext to, String path) {
		String port = to.getEnvironment().getProperty("local.server.port");
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
	}

	private HttpResponse<String> send(HttpRequest request) {
		return Unchecked.call(() -> this.http.send(request, HttpResponse.BodyHandlers.ofString()));
	}

}
