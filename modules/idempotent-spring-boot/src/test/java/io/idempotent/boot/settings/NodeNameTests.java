package io.idempotent.boot.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NodeNameTests {

	private final MockEnvironment environment = new MockEnvironment().withProperty("HOSTNAME", "host-1");

	@Test
	void isTheProperty() {
		this.environment.setProperty("idempotent.node", "a:1");
		assertThat(NodeName.in(this.environment)).isEqualTo("a:1");
	}

	@Test
	void isApplicationHostAndProcessByDefault() {
		String process = "host-1:" + ProcessHandle.current().pid();
		assertThat(NodeName.in(this.environment)).isEqualTo(process);
		this.environment.setProperty("spring.application.name", "my shop");
		assertThat(NodeName.in(this.environment)).isEqualTo("my_shop@" + process);
	}

	@Test
	void hasNoMoreThan64Characters() {
		this.environment.withProperty("HOSTNAME", "h".repeat(70))
			.withProperty("spring.application.name", "a".repeat(70));
		assertThat(NodeName.in(this.environment)).hasSize(64).endsWith("h:" + ProcessHandle.current().pid());
	}

	@ParameterizedTest
	@ValueSource(strings = { "two words", "节点", "12345678901234567890123456789012345678901234567890123456789012345" })
	void failsTheStartIfItIsInvalid(String name) {
		this.environment.setProperty("idempotent.node", name);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> NodeName.in(this.environment));
	}

}
