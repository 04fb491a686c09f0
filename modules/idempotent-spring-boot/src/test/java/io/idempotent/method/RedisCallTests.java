package io.idempotent.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Entry;
import io.idempotent.Idempotent;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisMonitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What calls cost whose records are in a real Redis.
 */
class RedisCallTests {

	private static EmbeddedRedis redis;

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
				"idempotent.store.near-cache.enabled=false")
		.withBean(Service.class);

	private final String key = UUID.randomUUID().toString();

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void theFirstCallCostsTwoAndADuplicateOne() {
		this.plain.run((context) -> {
			Service service = warm(context.getBean(Service.class));
			assertThat(commands(() -> service.replay(this.key))).isEqualTo(Map.of("set", 1, "evalsha", 1));
			assertThat(commands(() -> service.replay(this.key))).isEqualTo(Map.of("set", 1));
		});
	}

	@Test
	void aCallWithinItsOwnRunCostsNone() {
		this.plain.run((context) -> {
			warm(context.getBean(Service.class));
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			assertThat(commands(() -> template.executeWithoutResult("op", this.key,
					(outer) -> template.executeWithoutResult("op", this.key, (inner) -> {
					}))))
				.isEqualTo(Map.of("set", 1, "evalsha", 1));
		});
	}

	@Test
	void inTwoCallsEachCostsOne() {
		this.plain.run((context) -> {
			warm(context.getBean(Service.class));
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			List<Entry<?>> entries = new ArrayList<>();
			assertThat(commands(() -> entries.add(template.before("op", this.key)))).isEqualTo(Map.of("set", 1));
			var proceed = (Entry.Proceed<?>) entries.get(0);
			assertThat(commands(() -> proceed.attempt().succeeded(null))).isEqualTo(Map.of("evalsha", 1));
		});
	}

	@Test
	void aBatchCostsOneSetForEachItemAndOneCompletion() {
		this.plain.run((context) -> {
			warm(context.getBean(Service.class));
			IdempotentBatch<String> batch = context.getBean(IdempotentBatches.class).of("batch", (item) -> item);
			List<String> items = List.of(this.key, this.key + 1, this.key + 2);
			assertThat(commands(() -> batch.execute(items, (item) -> {
			}))).isEqualTo(Map.of("set", 3, "evalsha", 3));
			assertThat(commands(() -> batch.execute(items, (item) -> {
			}))).isEqualTo(Map.of("set", 3));
		});
	}

	/** Scripts are loaded once in the life of a server. */
	private static Service warm(Service service) {
		String known = UUID.randomUUID().toString();
		service.replay(known);
		service.replay(known);
		return service;
	}

	private static Map<String, Integer> commands(Runnable action) {
		try (RedisMonitor monitor = RedisMonitor.of(redis)) {
			action.run();
			return monitor.commands();
		}
	}

	static class Service {

		@Idempotent(key = "#key")
		public String replay(String key) {
			return "done";
		}

	}

}
