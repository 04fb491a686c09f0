package io.idempotent.boot.internal.policy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.properties.OperationDefaults;
import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.engine.policy.ComparedFields;
import io.idempotent.engine.policy.DeclaredPolicy;
import io.idempotent.engine.policy.OperationPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PropertiesOperationPoliciesTests {

	private static final String NAME = "OrderController.create";

	private static final String[] OTHER_DEFAULTS = { "idempotent.defaults.source=content",
			"idempotent.defaults.lease=1m", "idempotent.defaults.retention=1h", "idempotent.defaults.wait-timeout=1s",
			"idempotent.defaults.when-completed=reject", "idempotent.defaults.when-in-progress=wait",
			"idempotent.defaults.when-unknown=ask", "idempotent.defaults.when-failed=unknown",
			"idempotent.defaults.when-store-fails=proceed" };

	private final ConfigurableEnvironment environment = emptyEnvironment();

	@Test
	void withoutSettingsTheDefaultsOfTheLibraryApply() {
		assertThat(policy("bare")).isEqualTo(new OperationPolicy(NAME, Duration.ofSeconds(30), Duration.ofHours(24),
				Duration.ofSeconds(5), WhenCompleted.REPLAY, WhenInProgress.WAIT, WhenUnknown.RERUN, WhenFailed.RELEASE,
				WhenStoreFails.REJECT, false, false, ""));
		assertThat(source("bare")).isEqualTo(KeySource.TOKEN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "header", "content" })
	void duplicatesWaitByDefaultOnlyForTokens(String source) {
		set("idempotent.defaults.source=" + source);
		assertThat(policy("bare").whenInProgress()).isEqualTo(WhenInProgress.REJECT);
		set("idempotent.operations[OrderController.create].source=token");
		assertThat(policy("bare").whenInProgress()).isEqualTo(WhenInProgress.WAIT);
	}

	@Test
	void anExplicitDefaultAppliesToTokensToo() {
		set("idempotent.defaults.when-in-progress=reject");
		assertThat(policy("bare").whenInProgress()).isEqualTo(WhenInProgress.REJECT);
	}

	@Test
	void defaultsInThePropertiesOverrideTheLibrary() {
		set(OTHER_DEFAULTS);
		assertThat(policy("bare")).isEqualTo(new OperationPolicy(NAME, Duration.ofMinutes(1), Duration.ofHours(1),
				Duration.ofSeconds(1), WhenCompleted.REJECT, WhenInProgress.WAIT, WhenUnknown.ASK, WhenFailed.UNKNOWN,
				WhenStoreFails.PROCEED, false, false, ""));
		assertThat(source("bare")).isEqualTo(KeySource.CONTENT);
	}

	@Test
	void attributesOfTheAnnotationOverrideTheDefaults() {
		set(OTHER_DEFAULTS);
		assertThat(policy("full")).isEqualTo(new OperationPolicy(NAME, Duration.ofSeconds(2), Duration.ofMinutes(2),
				Duration.ofMillis(200), WhenCompleted.BURN, WhenInProgress.REJECT, WhenUnknown.REJECT,
				WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, ""));
		assertThat(source("full")).isEqualTo(KeySource.HEADER);
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.operations[OrderController.create].",
			"idempotent.operations.OrderController.create.", "idempotent.operations.order-controller.create.",
			"idempotent.operations.ordercontroller.create." })
	void propertiesOfTheOperationOverrideItsAnnotation(String form) {
		set(OTHER_DEFAULTS);
		set(form + "source=token", form + "lease=3s", form + "retention=3m", form + "wait-timeout=300ms",
				form + "when-completed=replay", form + "when-in-progress=wait", form + "when-unknown=rerun",
				form + "when-failed=unknown", form + "when-store-fails=proceed");
		assertThat(policy("full")).isEqualTo(new OperationPolicy(NAME, Duration.ofSeconds(3), Duration.ofMinutes(3),
				Duration.ofMillis(300), WhenCompleted.REPLAY, WhenInProgress.WAIT, WhenUnknown.RERUN,
				WhenFailed.UNKNOWN, WhenStoreFails.PROCEED, false, false, ""));
		assertThat(source("full")).isEqualTo(KeySource.TOKEN);
	}

	@Test
	void anEnvironmentVariableReachesAnOperation() {
		set(Map.of("IDEMPOTENT_OPERATIONS_ORDERCONTROLLER_CREATE_LEASE", "3s",
				"IDEMPOTENT_OPERATIONS_ORDERCONTROLLER_CREATE_WAIT_TIMEOUT", "300ms"));
		assertThat(policy("full").lease()).isEqualTo(Duration.ofSeconds(3));
		assertThat(policy("full").waitTimeout()).isEqualTo(Duration.ofMillis(300));
	}

	@Test
	void anEnvironmentVariableReachesAnOperationWithAHyphenInItsName() {
		set(Map.of("IDEMPOTENT_OPERATIONS_CREATEORDER_LEASE", "3s"));
		assertThat(policies().policy("create-order", declared("full")).lease()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void theFirstPropertySourceWinsInEitherForm() {
		set("idempotent.operations[OrderController.create].lease=3s");
		set("idempotent.operations.OrderController.create.lease=4s");
		set("idempotent.operations[OrderController.create].retention=3m");
		assertThat(policy("bare").lease()).isEqualTo(Duration.ofSeconds(4));
		assertThat(policy("bare").retention()).isEqualTo(Duration.ofMinutes(3));
		set("idempotent.operations[OrderController.create].lease=5s");
		assertThat(policy("bare").lease()).isEqualTo(Duration.ofSeconds(5));
	}

	@ParameterizedTest
	@ValueSource(strings = { "'[OrderController.create]'", "OrderController.create", "order-controller.create" })
	void yamlReachesAnOperation(String form) throws IOException {
		String yaml = "idempotent:\n  operations:\n    " + form + ":\n      lease: 3s\n      when-unknown: ask\n";
		new YamlPropertySourceLoader().load("yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
			.forEach(this.environment.getPropertySources()::addFirst);
		assertThat(policy("full").lease()).isEqualTo(Duration.ofSeconds(3));
		assertThat(policy("full").whenUnknown()).isEqualTo(WhenUnknown.ASK);
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.operations[OrderController.create].",
			"idempotent.operations.OrderController.create.", "idempotent.operations.order-controller.create." })
	void fieldsAreAListInEveryForm(String form) {
		set(form + "ignored-fields=sentAt,trace");
		assertThat(fields("bare")).isEqualTo(ComparedFields.of(List.of(), List.of("sentAt", "trace")));
		set(form + "ignored-fields[0]=sentAt", form + "ignored-fields[1]=attempt");
		assertThat(fields("bare")).isEqualTo(ComparedFields.of(List.of(), List.of("sentAt", "attempt")));
		set(form + "ignored-fields=", form + "compared-fields=id");
		assertThat(fields("bare")).isEqualTo(ComparedFields.of(List.of("id"), List.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.operations[OrderController.create].",
			"idempotent.operations.OrderController.create.", "idempotent.operations.order-controller.create." })
	void replayedErrorsAreAListInEveryForm(String form) {
		set(form + "replay-errors=402,5xx");
		assertThat(policies().replayErrors(NAME, annotation("bare"))).containsExactly("402", "5xx");
		set(form + "replay-errors[0]=409", form + "replay-errors[1]=4xx");
		assertThat(policies().replayErrors(NAME, annotation("bare"))).containsExactly("409", "4xx");
	}

	@Test
	void anEnvironmentVariableNamesReplayedErrors() {
		set(Map.of("IDEMPOTENT_OPERATIONS_ORDERCONTROLLER_CREATE_REPLAY_ERRORS", "409"));
		assertThat(policies().replayErrors(NAME, annotation("full"))).containsExactly("409");
	}

	@Test
	void anEnvironmentVariableNamesFields() {
		set(Map.of("IDEMPOTENT_OPERATIONS_ORDERCONTROLLER_CREATE_COMPAREDFIELDS", "id,amount"));
		assertThat(fields("full")).isEqualTo(ComparedFields.of(List.of("id", "amount"), List.of()));
	}

	@Test
	void fieldsAreReplacedByPropertiesThenByTheAnnotation() {
		set("idempotent.defaults.ignored-fields=sentAt");
		assertThat(fields("bare").ignored()).containsExactly("sentAt");
		assertThat(fields("full")).isEqualTo(ComparedFields.of(List.of("id"), List.of()));
		set("idempotent.operations[OrderController.create].ignored-fields=trace");
		assertThat(fields("full")).isEqualTo(ComparedFields.of(List.of(), List.of("trace")));
	}

	@Test
	void theDefaultConstantLeavesTheAttributeToTheAnnotation() {
		set("idempotent.operations.OrderController.create.when-completed=default",
				"idempotent.operations.OrderController.create.source=default");
		assertThat(policy("full").whenCompleted()).isEqualTo(WhenCompleted.BURN);
		assertThat(source("full")).isEqualTo(KeySource.HEADER);
	}

	@Test
	void anotherOperationsSettingsChangeNothing() {
		set("idempotent.operations[OrderController.pay].lease=3s",
				"idempotent.operations[OrderController.create.fast].lease=3s",
				"idempotent.operations[create].lease=3s");
		assertThat(policy("bare").lease()).isEqualTo(Duration.ofSeconds(30));
	}

	@ParameterizedTest
	@ValueSource(strings = { "order", "create-order", "Orders/create", "下单", "a b", "订单.create", "order_create" })
	void anyNameCanStandInBrackets(String name) {
		set("idempotent.operations[" + name + "].lease=3s", "idempotent.operations.lease=4s");
		assertThat(policies().policy(name, declared("bare")).lease()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void unusedSettingsAreFound() {
		set("idempotent.operations[OrderController.create].lease=3s",
				"idempotent.operations.order-controller.create.retention=3h",
				"idempotent.operations.OrderController.creat.lease=3s", "idempotent.operations[pay].source=token",
				"idempotent.defaults.lease=3s");
		set(Map.of("IDEMPOTENT_OPERATIONS_ORDERCONTROLLER_CREATE_WAIT_TIMEOUT", "3s"));
		assertThat(OperationProperties.in(this.environment).unknown(Set.of(NAME)))
			.containsExactly("idempotent.operations.ordercontroller.creat.lease", "idempotent.operations[pay].source");
	}

	@Test
	void namesAreUnderstoodInEveryFormThatSpringBootBinds() {
		set("idempotent.operations.order-controller.create.lease=3s",
				"idempotent.operations.orderController.create.waitTimeout=3s",
				"idempotent.operations.orders/create.lease=3s", "idempotent.operations.create_order.lease=3s");
		set(Map.of("IDEMPOTENT_OPERATIONS_ORDERCONTROLLER_CREATE_WHEN_UNKNOWN", "rerun"));
		assertThat(OperationProperties.in(this.environment).unknown(Set.of(NAME, "orders/create", "create_order")))
			.isEmpty();
	}

	@Test
	void anInvalidNameIsReportedWithItsCorrectForm() {
		set("idempotent.operations[order-controller.create].lease=3s", "idempotent.operations.订单.lease=3s");
		set(Map.of("IDEMPOTENT_OPERATIONS_ORDER_CONTROLLER_CREATE_RETENTION", "3s"));
		assertThat(policies().policy("订单", declared("bare")).lease()).isEqualTo(Duration.ofSeconds(30));
		assertThat(OperationProperties.in(this.environment).unknown(Set.of(NAME, "订单"))).containsExactly(
				"idempotent.operations.lease",
				"idempotent.operations.order.controller.create.retention "
						+ "(write idempotent.operations.OrderController.create.retention)",
				"idempotent.operations[order-controller.create].lease "
						+ "(write idempotent.operations.OrderController.create.lease)");
	}

	@Test
	void aNameIsWrittenInBracketsIfNecessary() {
		assertThat(OperationProperties.name(NAME, "lease"))
			.isEqualTo("idempotent.operations.OrderController.create.lease");
		assertThat(OperationProperties.name("orders/create", "lease"))
			.isEqualTo("idempotent.operations[orders/create].lease");
		assertThat(OperationProperties.name("订单", "lease")).isEqualTo("idempotent.operations[订单].lease");
	}

	@Test
	void placeholdersAreResolvedInEveryAttribute() {
		set("shop.lease=3s", "shop.retention=3m", "shop.wait=300ms", "shop.key=#sku", "shop.name=order");
		assertThat(policy("placeholders")).isEqualTo(new OperationPolicy(NAME, Duration.ofSeconds(3),
				Duration.ofMinutes(3), Duration.ofMillis(300), WhenCompleted.REPLAY, WhenInProgress.REJECT,
				WhenUnknown.RERUN, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, ""));
		assertThat(policies().resolve(annotation("placeholders").key())).isEqualTo("#sku");
		assertThat(policies().resolve(annotation("placeholders").name())).isEqualTo("order");
	}

	@Test
	void placeholdersAreResolvedInPropertiesOfAnOperation() {
		set("idempotent.operations[OrderController.create].lease=${shop.lease}", "shop.lease=3s");
		assertThat(policy("bare").lease()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void aPlaceholderThatResolvesToNothingLeavesTheDefault() {
		set("shop.lease=", "shop.retention=", "shop.wait=");
		assertThat(policy("placeholders").lease()).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void anUnresolvablePlaceholderIsReported() {
		assertThatIllegalArgumentException().isThrownBy(() -> policy("placeholders"))
			.withMessageContaining("shop.lease");
	}

	@Test
	void aKeyExpressionImpliesContent() {
		set("idempotent.defaults.source=header");
		assertThat(source("placeholders")).isEqualTo(KeySource.CONTENT);
	}

	@Test
	void aKeyExpressionMayBeCombinedWithContent() {
		set("idempotent.operations[OrderController.create].source=content");
		assertThat(source("placeholders")).isEqualTo(KeySource.CONTENT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token", "header" })
	void aKeyExpressionAndAnotherSourceContradictEachOther(String source) {
		set("idempotent.operations[OrderController.create].source=" + source);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> source("placeholders"))
			.withMessage("idempotent.operations.OrderController.create.source is '" + source
					+ "', but the annotation has a key expression, which makes the content the key. "
					+ "Choose one: remove the key expression, or this source");
	}

	@Test
	void everyAttributeOfAnOperationHasADefault() {
		assertThat(names(OperationProperties.class))
			.filteredOn((name) -> !List.of("receipt", "comparedFields", "message").contains(name))
			.isEqualTo(names(OperationDefaults.class));
	}

	private static List<String> names(Class<?> type) {
		return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
	}

	private OperationPolicy policy(String method) {
		return policies().policy(NAME, declared(method));
	}

	private static DeclaredPolicy declared(String method) {
		return DeclaredPolicy.of(annotation(method));
	}

	private ComparedFields fields(String method) {
		return policies().fields(NAME, annotation(method));
	}

	private KeySource source(String method) {
		return policies().source(NAME, annotation(method));
	}

	private PropertiesOperationPolicies policies() {
		IdempotentProperties properties = Binder.get(this.environment)
			.bindOrCreate("idempotent", IdempotentProperties.class);
		return new PropertiesOperationPolicies(properties, this.environment, () -> null, () -> true);
	}

	private static ApiIdempotent annotation(String name) {
		Method method = ReflectionUtils.findMethod(Annotated.class, name);
		return AnnotatedElementUtils.findMergedAnnotation(method, ApiIdempotent.class);
	}

	private void set(String... properties) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (String property : properties) {
			int equals = property.indexOf('=');
			map.put(property.substring(0, equals), property.substring(equals + 1));
		}
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("set" + this.environment.getPropertySources().size(), map));
	}

	private void set(Map<String, Object> variables) {
		this.environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					variables));
	}

	private static ConfigurableEnvironment emptyEnvironment() {
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().forEach((source) -> environment.getPropertySources().remove(source.getName()));
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

	interface Annotated {

		@ApiIdempotent
		void bare();

		@ApiIdempotent(value = KeySource.HEADER, comparedFields = "id", lease = "2s", retention = "PT2M",
				waitTimeout = "200ms", whenCompleted = WhenCompleted.BURN, whenInProgress = WhenInProgress.REJECT,
				whenUnknown = WhenUnknown.REJECT, whenFailed = WhenFailed.RELEASE,
				whenStoreFails = WhenStoreFails.REJECT)
		void full();

		@ApiIdempotent(key = "${shop.key}", name = "${shop.name}", lease = "${shop.lease}",
				retention = "${shop.retention}", waitTimeout = "${shop.wait}")
		void placeholders();

	}

}
