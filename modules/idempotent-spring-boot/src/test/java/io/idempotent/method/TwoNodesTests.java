package io.idempotent.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.Idempotent;
import io.idempotent.WhenInProgress;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications on one Redis, and calls of the same keys on both at once.
 */
class TwoNodesTests {

	private static final int THREADS = 8;

	private static final int KEYS = 100;

	private static final int CALLS = 800;

	private final Map<String, Integer> effects = new ConcurrentHashMap<>();

	@Test
	void everyKeyTakesEffectOnceWithOneResultForAllCallers() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			ApplicationContextRunner node = new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
				.withBean(Service.class, this.effects);
			node.run((one) -> node
				.run((other) -> storm(List.of(one.getBean(Service.class), other.getBean(Service.class)))));
		}
		assertThat(this.effects).hasSize(KEYS).allSatisfy((key, count) -> assertThat(count).as(key).isEqualTo(1));
	}

	private static void storm(List<Service> nodes) throws Exception {
		long seed = System.nanoTime();
		System.out.println("Seed of the storm: " + seed);
		Random random = new Random(seed);
		Map<String, String> results = new ConcurrentHashMap<>();
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> calls = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				String key = "key-" + ((i < KEYS) ? i : random.nextInt(KEYS));
				Service node = nodes.get(random.nextInt(nodes.size()));
				calls.add(executor.submit(() -> {
					String result = node.call(key);
					assertThat(results.merge(key, result, (first, next) -> first)).isEqualTo(result);
				}));
			}
			for (Future<?> call : calls) {
				call.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	static class Service {

		private final Map<String, Integer> effects;

		Service(Map<String, Integer> effects) {
			this.effects = effects;
		}

		@Idempotent(key = "#key", whenInProgress = WhenInProgress.WAIT, waitTimeout = "30s")
		public String call(String key) {
			return key + " by " + Thread.currentThread().getName() + " as " + this.effects.merge(key, 1, Integer::sum);
		}

	}

}
