package io.idempotent.boot;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class UnprotectedRunCounterTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void unprotectedRunsAreCountedByOperationAndNothingElseIs() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			IdempotencyListener counter = context.getBean(IdempotencyListener.class);
			for (IdempotencyEvent.Type type : IdempotencyEvent.Type.values()) {
				counter.onEvent(new IdempotencyEvent(type, "pay", "", null));
			}
			counter.onEvent(new IdempotencyEvent(IdempotencyEvent.Type.UNPROTECTED, "pay", "", null));
			counter.onEvent(new IdempotencyEvent(IdempotencyEvent.Type.UNPROTECTED, "order", "", null));
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.getMeters()).hasSize(2);
			assertThat(registry.get("idempotent.unprotected").tag("operation", "pay").counter().count()).isEqualTo(2);
			assertThat(registry.get("idempotent.unprotected").tag("operation", "order").counter().count()).isEqualTo(1);
		});
	}

	@Test
	void withoutARegistryNobodyCounts() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(IdempotencyListener.class));
	}

	@Test
	void anotherCounterOfThatNameWins() {
		IdempotencyListener own = (event) -> {
		};
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("idempotencyUnprotectedRunCounter", IdempotencyListener.class, () -> own)
			.run((context) -> assertThat(context.getBean(IdempotencyListener.class)).isSameAs(own));
	}

}
