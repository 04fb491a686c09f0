package io.idempotent.metrics.autoconfigure;

import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The groups of locks in tags.
 */
class LockGroupLimitTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	LockGroupLimitTests() {
		this.registry.config().meterFilter(new LockMetrics.GroupLimit());
	}

	@Test
	void furtherGroupsAreCountedAsOthers() {
		count("idempotent.lock");
		assertThat(this.registry.getMeters()).hasSize(LockMetrics.GroupLimit.MAX_GROUPS + 1);
		assertThat(this.registry.counter("idempotent.lock", "group", "user-299").count())
			.isEqualTo(300 - LockMetrics.GroupLimit.MAX_GROUPS);
		assertThat(this.registry.counter("idempotent.lock", "group", "user-0").count()).isOne();
	}

	@Test
	void otherMetersKeepTheirGroups() {
		count("orders");
		assertThat(this.registry.getMeters()).hasSize(300);
	}

	private void count(String name) {
		IntStream.range(0, 300).forEach((i) -> this.registry.counter(name, "group", "user-" + i).increment());
	}

}
