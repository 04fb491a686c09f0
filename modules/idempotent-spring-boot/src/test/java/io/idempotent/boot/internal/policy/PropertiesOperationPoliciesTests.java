package io.idempotent.boot.internal.policy;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

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
import io.idempotent.submission.policy.ComparedFields;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PropertiesOperationPoliciesTests {

	private static final String NAME = "OrderController.create";

	private static final String[] OTHER_DEFAULTS = { "idempotent.defaults.source=content",
			"idempotent.defaults.lease=1m", "idempotent.defaults.retention=1h", "idempotent.defaults.wait-timeout=1s",
			"idempotent.defaults.when-completed=reject", "idempotent.defaults.when-in-progress=wait",
			"idempotent.defaults.when-unknown=ask", "idempotent.defaults.when-failed=unknown",
			"idempotent.defaults.when-store-fails=proceed" };

	private final MockEnvironment environment = new MockEnvironment();

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

	@Test
	void propertiesOfTheOperationOverrideItsAnnotation() {
		String form = "idempotent.operations[OrderController.create].";
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
	void fieldsAreReplacedByPropertiesThenByTheAnnotation() {
		set("idempotent.defaults.ignored-fields=sentAt");
		assertThat(fields("bare").ignored()).containsExactly("sentAt");
		assertThat(fields("full")).isEqualTo(ComparedFields.of(List.of("id"), List.of()));
		set("idempotent.operations[OrderController.create].ignored-fields=trace");
		assertThat(fields("full")).isEqualTo(ComparedFields.of(List.of(), List.of("trace")));
	}

	@Test
	void theDefaultConstantLeavesTheAttributeToTheAnnotation() {
		set("idempotent.operations[OrderController.create].when-completed=default",
				"idempotent.operations[OrderController.create].source=default");
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
	void aPlaceholderThatResolvesToNothingLeavesTheDefault() {
		set("shop.lease=", "shop.retention=", "shop.wait=");
		assertThat(policy("placeholders").lease()).isEqualTo(Duration.ofSeconds(30));
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
			.withMessage("idempotent.operations[OrderController.create].source is '" + source
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
		TestPropertyValues.of(properties).applyTo(this.environment);
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
