package io.idempotent.benchmarks.http;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import io.idempotent.benchmarks.server.RedisServer;
import io.idempotent.lock.DistributedLocked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one request costs at most: commands of Redis, bytes to and from it, and bytes that
 * the application and the client allocate. Unlike times, these are the same on each
 * machine and under each load: the compiler of the tests, C1, removes no allocation. What
 * was measured is in {@code target/costs.txt}.
 */
@Tag("slow")
@EnabledOnJre(value = JRE.JAVA_17, disabledReason = "Each version of the JDK allocates otherwise")
class CostTests {

	private static final int ROUNDS = 5;

	private static final int REQUESTS = 200;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final Properties MOST = new Properties();

	private static final List<String> MEASURED = new ArrayList<>();

	private static RedisServer redis;

	private static ConfigurableApplicationContext application;

	private static ConfigurableApplicationContext withNearCache;

	@BeforeAll
	static void start() throws IOException {
		redis = RedisServer.start();
		application = start(false);
		withNearCache = start(true);
		try (InputStream most = CostTests.class.getResourceAsStream("costs.properties")) {
			MOST.load(most);
		}
	}

	private static ConfigurableApplicationContext start(boolean nearCache) {
		return new SpringApplicationBuilder(Shop.class).bannerMode(Banner.Mode.OFF)
			.run("--server.port=0", "--server.tomcat.max-keep-alive-requests=-1", "--logging.level.root=warn",
					"--spring.data.redis.port=" + redis.server().port(), "--idempotent.namespace=shop",
					"--idempotent.node=node-1", "--idempotent.lock.engines=redisson,redis",
					"--idempotent.store.near-cache.enabled=" + nearCache);
	}

	@AfterAll
	static void stop() throws IOException {
		Files.write(Path.of("target", "costs.txt"), MEASURED);
		withNearCache.close();
		application.close();
		redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void aRequestCostsNoMoreThanItMay(Line line) throws IOException {
		Cost cost = Cost.of(line);
		MEASURED.add(line + "=" + cost);
		Cost most = Cost.parse(MOST.getProperty(line.name()));
		assertThat(cost.exceeds(most))
			.as("%s costs %s, and may cost %s (costs.properties): %s", line, cost, most,
					"commands of Redis, bytes to it, bytes from it, bytes allocated")
			.isFalse();
	}

	/**
	 * What is requested.
	 */
	enum Line {

		NOT_ANNOTATED, FIRST_CALL, FIRST_CALL_16_KB, REPEAT, REPEAT_NEAR_CACHE, LOCK_REDISSON, LOCK_REDIS;

		private final String known = UUID.randomUUID().toString();

		void prepare(Connection connection) throws IOException {
			if (isRepeat()) {
				connection.send(Requests.byKey(this.known)).require(Requests.ORDER, false);
			}
		}

		private boolean isRepeat() {
			return this == REPEAT || this == REPEAT_NEAR_CACHE;
		}

		ConfigurableApplicationContext shop() {
			return (this == REPEAT_NEAR_CACHE) ? withNearCache : application;
		}

		void send(Connection connection) throws IOException {
			String body = (this == FIRST_CALL_16_KB) ? Requests.DOCUMENT : Requests.ORDER;
			switch (this) {
				case NOT_ANNOTATED -> connection.send(Requests.POST).require(body, false);
				case LOCK_REDISSON -> connection.send(Requests.get("/redisson?id=1", "text/plain")).require("1", false);
				case LOCK_REDIS -> connection.send(Requests.get("/redis?id=1", "text/plain")).require("1", false);
				default -> connection
					.send(Requests.byKey("/order-by-key", body, isRepeat() ? this.known : UUID.randomUUID().toString()))
					.require(body, isRepeat());
			}
		}

	}

	/**
	 * What one request costs: the least of some rounds, since what an application does
	 * beside its requests only adds to it.
	 *
	 * @param commands commands that Redis runs, those of scripts included
	 * @param sent bytes to Redis
	 * @param received bytes from Redis
	 * @param allocated bytes that all threads allocate
	 */
	private record Cost(double commands, double sent, double received, double allocated) {

		static Cost of(Line line) throws IOException {
			int port = line.shop().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			try (Connection connection = new Connection(port)) {
				line.prepare(connection);
				Cost least = ofRound(line, connection);
				for (int round = 0; round < ROUNDS; round++) {
					least = least.least(ofRound(line, connection));
				}
				return least;
			}
		}

		private static Cost ofRound(Line line, Connection connection) throws IOException {
			Cost before = soFar();
			for (int i = 0; i < REQUESTS; i++) {
				line.send(connection);
			}
			Cost after = soFar();
			return new Cost((after.commands - before.commands) / REQUESTS, (after.sent - before.sent) / REQUESTS,
					(after.received - before.received) / REQUESTS, (after.allocated - before.allocated) / REQUESTS);
		}

		private static Cost soFar() {
			return new Cost(redis.calls().values().stream().mapToLong(Long::longValue).sum(),
					redis.transferred("input"), redis.transferred("output"),
					LongStream.of(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())).sum());
		}

		private Cost least(Cost other) {
			return new Cost(Math.min(this.commands, other.commands), Math.min(this.sent, other.sent),
					Math.min(this.received, other.received), Math.min(this.allocated, other.allocated));
		}

		static Cost parse(String figures) {
			double[] parsed = Stream.of(figures.split(",")).mapToDouble(Double::parseDouble).toArray();
			return new Cost(parsed[0], parsed[1], parsed[2], parsed[3]);
		}

		boolean exceeds(Cost most) {
			return this.commands > most.commands || this.sent > most.sent || this.received > most.received
					|| this.allocated > most.allocated;
		}

		@Override
		public String toString() {
			return DoubleStream.of(this.commands, this.sent, this.received, this.allocated)
				.mapToObj("%.2f"::formatted)
				.reduce((left, right) -> left + ", " + right)
				.orElseThrow();
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	@Import({ IdempotentHandlers.class, PlainHandlers.class, LockedHandlers.class })
	static class Shop {

	}

	@RestController
	static class LockedHandlers {

		@GetMapping("/redisson")
		@DistributedLocked(name = "customer", key = "#id", engine = "redisson")
		public String underRedisson(@RequestParam("id") String id) {
			return id;
		}

		@GetMapping("/redis")
		@DistributedLocked(name = "customer", key = "#id", engine = "redis")
		public String underRedis(@RequestParam("id") String id) {
			return id;
		}

	}

}
