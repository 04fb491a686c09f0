package io.idempotent.boot.internal.policy;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyProfile;
import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.IdempotencyProfile.KeySyntax;
import io.idempotent.IdempotencyProfile.NumberComparison;
import io.idempotent.IdempotencyProfile.Protocol;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.settings.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A profile chooses the attributes of the protocol, and what is set explicitly wins.
 */
class ProfileTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void withoutAProfileNothingChanges() {
		assertThat(protocol()).isEqualTo(IdempotencyProfile.IDEMPOTENT.protocol());
	}

	@ParameterizedTest
	@EnumSource
	void aProfileChoosesItsAttributes(IdempotencyProfile profile) {
		set("idempotent.web.profile=" + profile.name().toLowerCase(java.util.Locale.ROOT));
		assertThat(protocol()).isEqualTo(profile.protocol());
	}

	@Test
	void whatApplicationsDecideCanBeSetByItself() {
		set("idempotent.web.profile=acp", "idempotent.web.key-required=false", "idempotent.web.status.key-reused=409",
				"idempotent.web.status.token-unknown=410");
		assertThat(protocol())
			.isEqualTo(new Protocol("Idempotent-Replayed", KeySyntax.OPAQUE, false, true, NumberComparison.BY_VALUE,
					List.of("4xx"), ErrorFormat.ACP, Map.of(Refusal.KEY_REUSED, 409, Refusal.TOKEN_UNKNOWN, 410)));
	}

	@Test
	void aStatusOfTheProfileStaysBesideOthers() {
		set("idempotent.web.profile=stripe", "idempotent.web.status.in-progress=425");
		assertThat(protocol().statuses()).containsOnly(Map.entry(Refusal.KEY_REUSED, 400),
				Map.entry(Refusal.IN_PROGRESS, 425));
	}

	@ParameterizedTest
	@ValueSource(strings = { "200", "302", "600", "0" })
	void aRefusalHasTheStatusOfAnError(String status) {
		set("idempotent.web.status.key-reused=" + status);
		assertThatException().isThrownBy(this::protocol)
			.havingRootCause()
			.isInstanceOf(InvalidConfigurationException.class)
			.withMessageContaining("idempotent.web.status.key-reused is '" + status + "'");
	}

	@ParameterizedTest
	@CsvSource({ "idempotent, ''", "ietf, '4xx,5xx'", "stripe, '4xx,5xx'", "acp, 4xx" })
	void aProfileReplaysErrorsOfOperationsWithAHeaderKey(String profile, String statuses) {
		set("idempotent.web.profile=" + profile);
		assertThat(String.join(",", replayErrors("byHeader"))).isEqualTo(statuses);
		assertThat(replayErrors("byToken")).isEmpty();
		assertThat(replayErrors("byContent")).isEmpty();
	}

	@Test
	void replayErrorsThatAreSetWinOverTheProfile() {
		set("idempotent.web.profile=stripe");
		assertThat(replayErrors("declared")).containsExactly("409");
		set("idempotent.web.profile=stripe", "idempotent.operations.order.replay-errors=402");
		assertThat(replayErrors("declared")).containsExactly("402");
		set("idempotent.web.profile=stripe", "idempotent.defaults.replay-errors=410");
		assertThat(replayErrors("byHeader")).containsExactly("410");
		assertThat(replayErrors("byToken")).containsExactly("410");
		set("idempotent.web.profile=stripe", "idempotent.defaults.replay-errors=");
		assertThat(replayErrors("byHeader")).isEmpty();
	}

	private Protocol protocol() {
		return properties().web().protocol();
	}

	private List<String> replayErrors(String name) {
		Method method = ReflectionUtils.findMethod(Annotated.class, name);
		PropertiesOperationPolicies policies = new PropertiesOperationPolicies(properties(), this.environment,
				() -> null, () -> true);
		return policies.replayErrors("order", AnnotatedElementUtils.findMergedAnnotation(method, ApiIdempotent.class));
	}

	private IdempotentProperties properties() {
		return Binder.get(this.environment).bindOrCreate("idempotent", IdempotentProperties.class);
	}

	private void set(String... properties) {
		this.environment.getPropertySources().remove("test");
		TestPropertyValues.of(properties).applyTo(this.environment);
	}

	static class Annotated {

		@ApiIdempotent(KeySource.HEADER)
		void byHeader() {
		}

		@ApiIdempotent
		void byToken() {
		}

		@ApiIdempotent(KeySource.CONTENT)
		void byContent() {
		}

		@ApiIdempotent(value = KeySource.HEADER, replayErrors = "409")
		void declared() {
		}

	}

}
