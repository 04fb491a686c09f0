package io.idempotent.lock.switching.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.StartUpAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.lock.RedissonClientAutoConfiguration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.switching.EngineSwitching;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes with locks in Redis and in a database, which switch together.
 */
@Tag("slow")
class EngineSwitchingTests {

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private ConfigurableApplicationContext one;

	private ConfigurableApplicationContext two;

	@AfterEach
	void stop() {
		if (this.one != null) {
			this.one.close();
		}
		if (this.two != null) {
			this.two.close();
		}
		this.redis.close();
	}

	@Test
	void allNodesSwitchByOneCall() {
		start();
		DistributedLock lock = locks(this.one).get("a");
		lock.lock();
		long before = lock.fencingToken();
		CompletableFuture<String> switched = CompletableFuture.supplyAsync(() -> switching(this.two).switchToNext());
		await().until(() -> switching(this.one).status().isSwitching());
		assertThat(locks(this.two).get("a").tryLock()).isFalse();
		lock.unlock();
		assertThat(switched.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("jdbc");
		lock.lock();
		assertThat(locks(this.two).get("a").tryLock()).isFalse();
		assertThat(locks(this.one).engineInForce()).isEqualTo("jdbc");
		assertThat(lock.fencingToken()).isGreaterThan(before).isGreaterThan(1L << 48);
		lock.unlock();
		assertThat(locks(this.two).get("a").tryLock()).isTrue();
		locks(this.two).get("a").unlock();
	}

	@Test
	void aSwitchDoesNotWaitForANodeThatWasStopped() {
		start("authority=redisson", "lease-time=8s");
		await().atMost(Duration.ofSeconds(30)).until(() -> takes(this.one) && takes(this.two));
		this.two.close();
		long start = System.nanoTime();
		assertThat(switching(this.one).switchToNext()).isEqualTo("jdbc");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
	}

	@Test
	void nodesLeaveAnEngineThatFailsAndReturn() {
		start("automatic=true", "dwell-time=1s", "recovery-time=2s");
		take(this.one);
		take(this.two);
		this.redis.stop();
		await().atMost(Duration.ofSeconds(90)).until(() -> takes(this.one) && takes(this.two));
		assertThat(locks(this.one).engineInForce()).isEqualTo("jdbc");
		assertThat(locks(this.two).engineInForce()).isEqualTo("jdbc");
		this.redis.restart();
		await().atMost(Duration.ofSeconds(90)).until(() -> locks(this.two).engineInForce().equals("redisson"));
		await().until(() -> takes(this.one) && takes(this.two));
		assertThat(switching(this.one).status().epoch()).isEqualTo(3);
	}

	@Test
	void oneNodeThatCannotReachAnEngineDoesNotSwitch() {
		start("automatic=true", "dwell-time=1s", "recovery-time=2s");
		this.two.close();
		this.two = node(List.of("spring.data.redis.port=1"), "automatic=true", "dwell-time=1s", "recovery-time=2s");
		take(this.one);
		for (int i = 0; i < 5; i++) {
			assertThat(takes(this.two)).isFalse();
		}
		take(this.one);
		assertThat(switching(this.one).status().epoch()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "enabled=false, idempotent.lock.switching.enabled is 'false'",
			"authority=redisson, idempotent.lock.switching.authority is 'redisson'" })
	void aNodeWithIncompatibleEnginesFailsTheStart(String property, String message) {
		this.one = node(List.of());
		assertThatException().isThrownBy(() -> this.two = node(List.of(), property))
			.havingRootCause()
			.isInstanceOf(InvalidConfigurationException.class)
			.withMessageContaining(message)
			.withMessageContaining("(now 'redisson', epoch 1: [");
		this.one.close();
		this.two = node(List.of(), property);
	}

	@Test
	void anEngineThatCannotSwitchFailsTheStart() {
		assertFails("can switch between [redisson] only", "engines=redisson,local");
		assertFails("there is no such engine", "engines=redisson,jdbc", "switching.authority=etcd");
		assertFails("cannot keep what the nodes agree on", "engines=redisson,jdbc,local", "switching.authority=local");
		runner("engines=redisson,jdbc").withPropertyValues("idempotent.initialize-schema=never")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("is 'idempotent_lock_epoch', but the database has no such table"));
		runner("engines=redisson,jdbc", "switching.automatic=true")
			.withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("there is no circuit breaker"));
	}

	private void assertFails(String message, String... properties) {
		runner(properties).run((context) -> assertThat(context).getFailure()
			.hasStackTraceContaining(InvalidConfigurationException.class.getName())
			.hasStackTraceContaining(message));
	}

	private ApplicationContextRunner runner(String... properties) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
					DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class,
					LockSwitchingAutoConfiguration.class, LockAutoConfiguration.class, StartUpAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"idempotent.lock.switching.enabled=true");
		for (String property : properties) {
			runner = runner.withPropertyValues("idempotent.lock." + property);
		}
		return runner;
	}

	private void start(String... switching) {
		this.one = node(List.of(), switching);
		this.two = node(List.of(), switching);
	}

	private ConfigurableApplicationContext node(List<String> more, String... switching) {
		List<String> properties = new ArrayList<>(List.of("spring.datasource.url=" + this.database,
				"spring.data.redis.host=" + this.redis.host(), "spring.data.redis.port=" + this.redis.port(),
				"spring.data.redis.timeout=2s", "spring.data.redis.connect-timeout=2s",
				"idempotent.lock.engines=redisson,jdbc", "idempotent.lock.lease-time=3s",
				"idempotent.lock.switching.enabled=true", "idempotent.lock.switching.lease-time=3s"));
		properties.addAll(more);
		for (String property : switching) {
			properties.removeIf((former) -> former
				.startsWith("idempotent.lock.switching." + property.substring(0, property.indexOf('=') + 1)));
			properties.add("idempotent.lock.switching." + property);
		}
		return new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	private static DistributedLocks locks(ConfigurableApplicationContext node) {
		return node.getBean(DistributedLocks.class);
	}

	private static EngineSwitching switching(ConfigurableApplicationContext node) {
		return node.getBean(EngineSwitching.class);
	}

	private static void take(ConfigurableApplicationContext node) {
		assertThat(takes(node)).isTrue();
	}

	private static boolean takes(ConfigurableApplicationContext node) {
		DistributedLock lock = locks(node).get("a");
		try {
			if (!lock.tryLock(2, TimeUnit.SECONDS)) {
				return false;
			}
			lock.unlock();
			return true;
		}
		catch (LockUnavailableException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataRedisAutoConfiguration.class,
			RedissonClientAutoConfiguration.class, LockSwitchingAutoConfiguration.class, LockAutoConfiguration.class,
			AopAutoConfiguration.class })
	static class Node {

	}

}
