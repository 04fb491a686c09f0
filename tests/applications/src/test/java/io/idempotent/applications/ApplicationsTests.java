package io.idempotent.applications;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that use a part of the modules, as the build installs them. What they
 * leave out is not on their class path, and what they use works with a real server.
 */
class ApplicationsTests {

	private static final String[] REDIS = { "idempotent-redis", "spring-data-redis", "lettuce-", "jedis-" };

	private static final String[] REDISSON = { "idempotent-lock-redisson", "redisson-" };

	private static final String[] DATABASE = { "idempotent-jdbc", "idempotent-lock-jdbc", "spring-jdbc", "HikariCP-" };

	private static final String[] JDBC_LOCKS = { "idempotent-lock-jdbc" };

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
		void itHasNoLockEngine() throws IOException {
			assertAbsent(this.application, REDISSON, ZOOKEEPER, DATABASE, OPTIONAL);
		}

		private WebApplication start(String node) throws IOException {
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
		void itHasNoRedisAndNoLockEngine() throws IOException {
			assertAbsent(this.application, REDIS, REDISSON, ZOOKEEPER, OPTIONAL, JDBC_LOCKS);
		}

		private WebApplication start(String node, TestPostgres database) throws IOException {
			return WebApplication.start(this.application, "--node=" + node,
					"--spring.datasource.url=" + database.url());
		}

	}

	@Nested
	class RedisAlone {

		private final Application application = Application.named("redis-alone");

		@Test
		void anInvoiceIsPaidOnce() throws Exception {
			assertThat(pay("a")).contains("Paid a", "Done");
			assertThat(pay("a")).contains("Done").doesNotContain("Paid a");
			assertThat(pay("b")).contains("Paid b", "Done");
		}

		@Test
		void itHasNoWebServerNoDatabaseAndNoLocks() throws IOException {
			assertAbsent(this.application, LOCKS, REDISSON, ZOOKEEPER, DATABASE, WEB, OPTIONAL, DATABIND);
		}

		private List<String> pay(String invoice) throws Exception {
			try (ApplicationProcess process = this.application.start(invoice, redisPort())) {
				return process.finish();
			}
		}

	}

	@Nested
	class LocksAlone {

		private final Application application = Application.named("locks-alone");

		@Test
		void oneNodeAtATimeWritesTheReport() throws Exception {
			try (ApplicationProcess one = this.application.start(redisPort())) {
				one.await("Writing");
				assertThat(report()).contains("Skipped").doesNotContain("Writing");
				assertThat(one.finish()).contains("Written");
				assertThat(report()).contains("Writing", "Written");
			}
		}

		@Test
		void itHasNothingOfIdempotency() throws IOException {
			assertAbsent(this.application, IDEMPOTENCY, ZOOKEEPER, DATABASE, WEB, OPTIONAL);
		}

		private List<String> report() throws Exception {
			try (ApplicationProcess process = this.application.start(redisPort())) {
				return process.finish();
			}
		}

	}

}
