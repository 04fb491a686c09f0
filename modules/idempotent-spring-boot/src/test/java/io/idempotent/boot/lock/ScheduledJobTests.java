package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.WhenNotObtained;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A job that is scheduled on eight nodes, as on the eight Tomcats of the seeds.
 */
@Tag("slow")
class ScheduledJobTests {

	private static final int NODES = 8;

	private static final long TICK = 2000;

	private final Runs runs = new Runs();

	@Test
	void runsOncePerTickOnWhicheverNodeTicksFirst() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			Map<Long, Long> perTick = tick("idempotent.lock.engines=redisson", "spring.data.redis.host=" + redis.host(),
					"spring.data.redis.port=" + redis.port());
			assertThat(perTick.values()).as("runs per tick %s", perTick).containsOnly(1L);
		}
	}

	@Test
	void runsOnSeveralNodesWithoutASharedLock() {
		Map<Long, Long> perTick = tick("idempotent.lock.engines=local");
		assertThat(perTick.values()).as("runs per tick %s", perTick).anyMatch((count) -> count > 1);
	}

	/**
	 * Lets the nodes run for three whole ticks.
	 * @return how often the job ran at each
	 */
	private Map<Long, Long> tick(String... properties) {
		List<ConfigurableApplicationContext> nodes = new ArrayList<>();
		try {
			for (int i = 0; i < NODES; i++) {
				nodes.add(node(properties));
			}
			this.runs.ticks.clear();
			await().atMost(Duration.ofMinutes(1)).until(() -> this.runs.perTick().size() >= 5);
		}
		finally {
			nodes.forEach(ConfigurableApplicationContext::close);
		}
		NavigableMap<Long, Long> perTick = this.runs.perTick();
		perTick.pollFirstEntry();
		perTick.pollLastEntry();
		return perTick;
	}

	private ConfigurableApplicationContext node(String... properties) {
		return new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn")
			.properties(properties)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(Runs.class, () -> this.runs))
			.run();
	}

	static class Runs {

		private final Queue<Long> ticks = new ConcurrentLinkedQueue<>();

		void add() {
			this.ticks.add(System.currentTimeMillis() / TICK);
		}

		NavigableMap<Long, Long> perTick() {
			return this.ticks.stream()
				.collect(Collectors.groupingBy((tick) -> tick, TreeMap::new, Collectors.counting()));
		}

	}

	static class Job {

		private final Runs runs;

		Job(Runs runs) {
			this.runs = runs;
		}

		@Scheduled(cron = "*/2 * * * * *")
		@DistributedLocked(name = "job", onNotObtained = WhenNotObtained.SKIP, holdAtLeast = "1900ms")
		void run() {
			this.runs.add();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			RedissonClientAutoConfiguration.class, LockAutoConfiguration.class })
	static class Node {

		@Bean
		Job job(Runs runs) {
			return new Job(runs);
		}

	}

}
