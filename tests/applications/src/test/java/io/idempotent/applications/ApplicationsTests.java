package io.idempotent.applications;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.idempotent.applications.WebApplication.Answer;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that use a part of the modules, as the build installs them. What they
 * leave out is not on their class path, and what they use works with a real server.
 */
@Tag("slow")
class ApplicationsTests {

	private static final String[] REDIS = { "idempotent-redis", "spring-data-redis", "lettuce-", "jedis-" };

	private static final String[] REDISSON = { "idempotent-lock-redis", "redisson-" };

	private static final String[] REDISSON_ITSELF = { "redisson-" };

	private static final String[] DATABASE = { "idempotent-jdbc", "idempotent-lock-jdbc", "spring-jdbc", "HikariCP-" };

	private static final String[] IDEMPOTENT_JDBC = { "idempotent-jdbc" };

	private static final String[] LETTUCE = { "lettuce-" };

	private static final String[] LOCK_ENGINES = { "idempotent-lock-redis", "idempotent-lock-zookeeper",
			"idempotent-lock-jdbc" };

	private static final String[] DATABIND = { "jackson-databind-" };

	private static final String[] ZOOKEEPER = { "idempotent-lock-zookeeper", "curator-", "zookeeper-" };

	private static final String[] WEB = { "idempotent-webmvc", "spring-web", "tomcat-" };

	private static final String[] LOCKS = { "idempotent-lock" };

	private static final String[] IDEMPOTENCY = { "idempotent-core", "idempotent-redis", "idempotent-jdbc",
			"idempotent-webmvc" };

	private static final String[] OPTIONAL = { "spring-security-", "caffeine-", "micrometer-core", "resilience4j-" };

	private static EmbeddedRedis redis;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedis.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	private static String redisPort() {
		return "--spring.data.redis.port=" + redis.port();
	}

	private static void assertAbsent(Application application, String[]... libraries) throws IOException {
		List<String> absent = Stream.of(libraries).flatMap(Stream::of).toList();
		Predicate<String> unwanted = (library) -> absent.stream().anyMatch(library::startsWith);
		assertThat(application.libraries()).anyMatch((library) -> library.startsWith("idempotent-spring-boot-"))
			.noneMatch(unwanted);
	}

	/** What an application prints that ends by itself. */
	private static List<String> run(Application application, String... arguments) {
		try (JavaProcess process = application.start(arguments)) {
			return process.finish();
		}
	}

	/** What an application prints that does not start. */
	private static String failure(Application application, String... arguments) {
		try (JavaProcess process = application.start(arguments)) {
			process.await("APPLICATION FAILED TO START");
			process.awaitEnd();
			return process.log();
		}
	}

	@Nested
	class StarterWithoutRedisson {

		private final Application application = Application.named("starter-without-redisson");

		@Test
		void aRepeatAtAnotherNodeGetsTheFirstAnswer() throws Exception {
			try (WebApplication one = start("one"); WebApplication two = start("two")) {
				assertThat(one.submit("key")).isEqualTo(new Answer("order 1 of one", false));
				assertThat(two.submit("key")).isEqualTo(new Answer("order 1 of one", true));
				assertThat(two.submit("other")).isEqualTo(new Answer("order 1 of two", false));
			}
		}

		@Test
		void itHasNoRedisson() throws IOException {
			assertAbsent(this.application, REDISSON_ITSELF, ZOOKEEPER, DATABASE, OPTIONAL);
		}

		@ParameterizedTest
		@CsvSource({ "store.type=jdbc, idempotent-jdbc", "lock.engines=jdbc, idempotent-lock-jdbc" })
		void aRequestedButMissingModuleIsReported(String property, String module) throws Exception {
			assertThat(failure(this.application, "--node=one", redisPort(), "--idempotent." + property))
				.contains("there is no module " + module + " on the class path")
				.contains("Add io.idempotent:" + module);
		}

		@ParameterizedTest
		@ValueSource(strings = { "quorum", "zookeeper" })
		void anEngineOfAMissingExtensionIsReported(String engine) throws Exception {
			assertThat(failure(this.application, "--node=one", redisPort(), "--idempotent.lock.engines=" + engine))
				.contains("names '" + engine + "', but there is no LockEngine bean with this name")
				.contains("add io.idempotent:idempotent-lock-" + engine);
		}

		private WebApplication start(String node) {
			return WebApplication.start(this.application, "--node=" + node, redisPort());
		}

	}

	@Nested
	class JdbcAlone {

		private final Application application = Application.named("jdbc-alone");

		@Test
		void aRepeatAtAnotherNodeGetsTheFirstAnswer() throws Exception {
			try (TestPostgres database = TestPostgres.start();
					WebApplication one = start("one", database);
					WebApplication two = start("two", database)) {
				assertThat(one.submit("key")).isEqualTo(new Answer("order of one", false));
				assertThat(two.submit("key")).isEqualTo(new Answer("order of one", true));
				assertThat(
						new JdbcTemplate(database.dataSource()).queryForList("select node from purchase", String.class))
					.containsExactly("one");
			}
		}

		@Test
		void itHasNoRedis() throws IOException {
			assertAbsent(this.application, REDIS, REDISSON, ZOOKEEPER, OPTIONAL);
		}

		private WebApplication start(String node, TestPostgres database) {
			return WebApplication.start(this.application, "--node=" + node,
					"--spring.datasource.url=" + database.url());
		}

	}

	@Nested
	class RedisAlone {

		private final Application application = Application.named("redis-alone");

		@Test
		void anInvoiceIsPaidOnce() throws Exception {
			assertThat(run(this.application, "a", redisPort())).contains("Paid a", "Done");
			assertThat(run(this.application, "a", redisPort())).contains("Done").doesNotContain("Paid a");
			assertThat(run(this.application, "b", redisPort())).contains("Paid b", "Done");
		}

		@Test
		void itHasNoWebServerNoDatabaseAndNoLocks() throws IOException {
			assertAbsent(this.application, LOCKS, REDISSON, ZOOKEEPER, DATABASE, WEB, OPTIONAL, DATABIND);
		}

	}

	@Nested
	class LocksAlone {

		private final Application application = Application.named("locks-alone");

		@Test
		void oneNodeAtATimeWritesTheReport() throws Exception {
			try (JavaProcess one = this.application.start(redisPort())) {
				one.await("Writing");
				assertThat(run(this.application, redisPort())).contains("Skipped").doesNotContain("Writing");
				assertThat(one.finish()).contains("Written");
				assertThat(run(this.application, redisPort())).contains("Writing", "Written");
			}
		}

		@Test
		void itHasNothingOfIdempotency() throws IOException {
			assertAbsent(this.application, IDEMPOTENCY, ZOOKEEPER, DATABASE, WEB, OPTIONAL);
		}

	}

	@Nested
	class RedisByJedis {

		private final Application application = Application.named("redis-by-jedis");

		@Test
		void anInvoiceIsPaidOnce() throws Exception {
			assertThat(run(this.application, "c", redisPort())).contains("Paid c", "Done");
			assertThat(run(this.application, "c", redisPort())).contains("Done").doesNotContain("Paid c");
		}

		@Test
		void receiptsAreRefusedWithoutTheirModule() throws Exception {
			assertThat(failure(this.application, "d", redisPort(), "--idempotent.guard.enabled=true"))
				.contains("there is no module idempotent-jdbc on the class path, so that no receipt could be written");
		}

		@Test
		void itHasNoLettuce() throws IOException {
			assertAbsent(this.application, LETTUCE, LOCKS, REDISSON, ZOOKEEPER, WEB, OPTIONAL, IDEMPOTENT_JDBC);
		}

	}

	@Nested
	class WithCaches {

		private static final String[] UNCHANGED = { "Quote: Quote[number=1]Quote[number=1]",
				"Cache: CaffeineCacheManager" };

		private final Application application = Application.named("with-caches");

		@Test
		void cacheAndHealthStayWithoutARedis() throws Exception {
			assertThat(run(this.application, "--idempotent.store.type=local", "--idempotent.lock.engines=local"))
				.contains(UNCHANGED)
				.contains("Health: UP, redis false");
		}

		@Test
		void aMisspeltPropertyFailsTheStart() throws Exception {
			assertThat(failure(this.application, "--idempotent.stor.type=local"))
				.contains("Nothing reads idempotent.stor.type (set by");
		}

		@Test
		void theCacheStaysWithRecordsInRedis() throws Exception {
			assertThat(run(this.application, redisPort())).contains(UNCHANGED).contains("Health: UP, redis true");
		}

	}

	@Nested
	class Smallest {

		private final Application application = Application.named("smallest");

		@Test
		void aMethodIsLockedAndEachOperationRunsOnce() throws Exception {
			assertThat(run(this.application)).contains("Locked: jobs:lock:report", "Counted: 2");
		}

		@Test
		void itHasNothingOptional() throws IOException {
			assertAbsent(this.application, LOCK_ENGINES, REDIS, REDISSON, ZOOKEEPER, DATABASE, WEB, OPTIONAL, DATABIND);
		}

	}

}
