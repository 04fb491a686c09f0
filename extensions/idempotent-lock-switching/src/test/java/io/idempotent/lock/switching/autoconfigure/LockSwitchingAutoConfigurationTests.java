package io.idempotent.lock.switching.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.lock.RedissonClientAutoConfiguration;
import io.idempotent.metrics.autoconfigure.IdempotencyMetricsAutoConfiguration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.lock.switching.CircuitBreakerHealth;
import io.idempotent.lock.switching.EngineSwitching;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LockSwitchingAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class,
				LockSwitchingAutoConfiguration.class, LockAutoConfiguration.class));

	private final ApplicationContextRunner local = this.runner.withPropertyValues("idempotent.lock.engines=local");

	private final ApplicationContextRunner switching = this.runner.withPropertyValues(
			"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "idempotent.lock.engines=redisson,jdbc",
			"idempotent.lock.switching.enabled=true");

	private final ApplicationContextRunner counting = this.switching.withBean(SimpleMeterRegistry.class)
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, IdempotencyMetricsAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(strings = { "dwell-time=0s", "lease-time=10ms", "drain-time=31s", "recovery-time=-1s",
			"automatic=true", "enabled=true" })
	void propertiesThatCannotWorkFailTheStart(String property) {
		this.local.withPropertyValues("idempotent.lock.switching." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("idempotent.lock.switching." + property.substring(0, property.indexOf('='))));
	}

	@Test
	void anExcludedAutoConfigurationIsReported() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
			.withPropertyValues("idempotent.lock.engines=local", "idempotent.lock.switching.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("its auto-configuration is excluded"));
	}

	@Test
	void nothingSwitchesUnlessEnabled() {
		this.local.run((context) -> assertThat(context).hasSingleBean(DistributedLocks.class)
			.doesNotHaveBean(EngineSwitching.class));
	}

	@Test
	void operatorsSeeTheEpochOfTheNodes() {
		this.counting.run((context) -> {
			EngineSwitching switching = context.getBean(EngineSwitching.class);
			await().untilAsserted(() -> assertThat(switching.status().epoch()).isOne());
			assertThat(context.getBean(SwitchControl.class).status()).isEqualTo(Map.of("epoch", 1L));
			assertThat(context.getBean(MeterRegistry.class).get("idempotent.lock.epoch").gauge().value()).isOne();
		});
	}

	@Test
	void locksOfTheApplicationAreNotSwitched() {
		this.switching.withBean(DistributedLocks.class, LockSwitchingAutoConfigurationTests::localLocks)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(EngineSwitching.class));
	}

	@Test
	void locksCanBeSwitchedOff() {
		this.switching.withPropertyValues("idempotent.lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SwitchableEngines.class));
	}

	@Test
	void aWatchedEngineRenewsAsManyLocksAtOnceAsWithoutWatching() {
		this.switching.withPropertyValues("idempotent.lock.switching.automatic=true")
			.run((context) -> assertThat(context.getBean(EngineDistributedLocks.class).selection().inForce().engines())
				.extracting(LockEngine::renewalsAtOnce)
				.containsExactly(64, 4));
	}

	@Test
	void enginesAreWatchedForAutomaticSwitchesOnly() {
		this.switching.run((context) -> assertThat(context).hasSingleBean(SwitchableEngines.class)
			.doesNotHaveBean(CircuitBreakerHealth.class));
		this.switching.withPropertyValues("idempotent.lock.switching.automatic=true")
			.run((context) -> assertThat(context).hasSingleBean(CircuitBreakerHealth.class));
	}

	@Test
	void switchesAreCountedFromTheStart() {
		this.counting.run((context) -> {
			assertThat(context.getBean(MeterRegistry.class).find("idempotent.lock.switches").functionCounters())
				.hasSize(4);
			assertThat(completed(context)).isZero();
			context.getBean(EngineSwitching.class).switchTo("jdbc");
			assertThat(completed(context)).isOne();
		});
	}

	private static DistributedLocks localLocks() {
		return new EngineDistributedLocks(List.of(new LocalLockEngine()), Duration.ofSeconds(30), List.of());
	}

	private static double completed(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.get("idempotent.lock.switches")
			.tag("engine", "jdbc")
			.tag("result", "completed")
			.functionCounter()
			.count();
	}

}
