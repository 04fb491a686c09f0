package io.idempotent.boot;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole applications without what is optional: its jars are not hidden but gone.
 */
@Tag("slow")
class ReducedClassPathTests {

	private static final String[] SECURITY = { "spring-security-", "spring-boot-security",
			"spring-boot-starter-security" };

	private static final String[] WEB = { "spring-web", "spring-boot-webmvc", "spring-boot-web-server",
			"spring-boot-servlet", "spring-boot-tomcat", "tomcat-embed-" };

	private static final String[] CAFFEINE = { "caffeine-" };

	private static final String[] MICROMETER = { "micrometer-core" };

	private static final String[] LETTUCE = { "lettuce-" };

	private static final String[] REDIS = { "spring-data-redis", "spring-boot-data-redis", "lettuce-", "redisson-" };

	private static final String[] DATABIND = { "jackson-databind-3" };

	private static final String[] TRANSACTIONS = { "spring-tx", "spring-boot-transaction" };

	private static final String[] LOCK_ENGINES = { "curator-", "zookeeper-", "resilience4j-", "spring-jdbc",
			"spring-boot-jdbc", "spring-boot-sql", "HikariCP", "h2-", "postgresql-" };

	private static final String[] IDEMPOTENCY = { "idempotent-core", "idempotent-redis", "idempotent-jdbc",
			"idempotent-webmvc" };

	private static final String[] LOCKS = { "idempotent-lock" };

	private static final String[] LOCK_ENGINE_MODULES = { "idempotent-lock-redisson", "idempotent-lock-zookeeper",
			"idempotent-lock-jdbc" };

	private static final String[] JDBC_MODULE = { "idempotent-jdbc" };

	private static final String[] WEBMVC_MODULE = { "idempotent-webmvc" };

	@TempDir
	private Path directory;

	@Test
	void withoutCuratorJdbcAndResilience4jItWorksAndLocks() throws Exception {
		assertThat(run(ReducedApplication.class, SECURITY, WEB, LOCK_ENGINES)).contains("Beans: ", "distributedLocks")
			.contains("Locked: true", "Counted: 2");
		assertThat(run(ReducedWebApplication.class, SECURITY, LOCK_ENGINES)).contains("Answers: 111");
	}

	@Test
	void withoutSpringSecurityItWorks() throws Exception {
		assertThat(run(ReducedWebApplication.class, SECURITY)).contains("Answers: 111");
	}

	@Test
	void withoutCaffeineItWorks() throws Exception {
		assertThat(run(ReducedWebApplication.class, SECURITY, CAFFEINE)).contains("Answers: 111");
	}

	@Test
	void withoutMicrometerItWorks() throws Exception {
		assertThat(run(ReducedWebApplication.class, SECURITY, MICROMETER)).contains("Answers: 111");
	}

	@Test
	void withoutRedisItWorks() throws Exception {
		assertThat(run(ReducedWebApplication.class, SECURITY, REDIS)).contains("Answers: 111");
	}

	@Test
	void withoutLettuceTheRedisStoreUsesTheClientThatIsThere() throws Exception {
		assertThat(run(ReducedRedisClient.class, SECURITY, WEB, LETTUCE)).contains("asked by getConnection");
	}

	@Test
	void withoutRedisTheJdbcStoreWorks() throws Exception {
		assertThat(run(ReducedJdbcApplication.class, SECURITY, REDIS, CAFFEINE)).contains("Answers: 111", "Records: 1");
	}

	@Test
	void withoutWebMvcItStarts() throws Exception {
		assertThat(run(ReducedApplication.class, SECURITY, WEB)).contains("Beans: ", "idempotencyGate")
			.contains("idempotencyOutcomeCache")
			.doesNotContain("httpIdempotency");
	}

	@Test
	void withoutDatabindMethodsWithoutAResultAreIdempotent() throws Exception {
		assertThat(run(ReducedApplication.class, SECURITY, WEB, DATABIND)).contains("Counted: 2")
			.doesNotContain("idempotencyCallJson");
	}

	@Test
	void withoutAnythingOptionalItStarts() throws Exception {
		assertThat(run(ReducedApplication.class, SECURITY, WEB, CAFFEINE, MICROMETER, REDIS, LOCK_ENGINES, DATABIND,
				TRANSACTIONS))
			.contains("Beans: ", "idempotencyGate", "Counted: 2")
			.doesNotContain("httpIdempotency", "idempotencyOutcomeCache");
	}

	@Test
	void locksNeedNoModuleOfIdempotency() throws Exception {
		assertThat(run(LocksAloneApplication.class, SECURITY, IDEMPOTENCY)).contains("Locked: jobs:lock:report");
		assertThat(run(LocksAloneApplication.class, SECURITY, WEB, IDEMPOTENCY, LOCK_ENGINE_MODULES, LOCK_ENGINES))
			.contains("Locked: jobs:lock:report");
	}

	@Test
	void idempotencyNeedsNoModuleOfLocks() throws Exception {
		assertThat(run(OperationsAloneApplication.class, SECURITY, WEB, LOCKS, WEBMVC_MODULE)).contains("Counted: 1");
		assertThat(run(ReducedWebApplication.class, SECURITY, LOCK_ENGINE_MODULES, JDBC_MODULE))
			.contains("Answers: 111");
	}

	@Test
	void aModuleThatIsAskedForAndMissingIsNamed() throws Exception {
		assertThat(run(MissingModuleApplication.class, SECURITY, WEB, LOCK_ENGINE_MODULES, JDBC_MODULE))
			.contains("there is no module idempotent-jdbc on the class path")
			.contains("Add io.idempotent:idempotent-jdbc, define an IdempotencyStore bean")
			.contains("there is no module idempotent-jdbc on the class path, so that no receipt could be written")
			.contains("there is no module idempotent-lock-jdbc on the class path")
			.contains("there is no module idempotent-lock-zookeeper on the class path")
			.contains("Add io.idempotent:idempotent-lock-zookeeper");
	}

	/**
	 * Runs a program in a JVM of its own.
	 * @return all it says
	 */
	private String run(Class<?> program, String[]... without) throws Exception {
		Path output = this.directory.resolve("output");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", classPath(without), program.getName())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			boolean ended = process.waitFor(2, TimeUnit.MINUTES);
			String said = Files.readString(output);
			assertThat(ended).as(said).isTrue();
			assertThat(process.exitValue()).as(said).isZero();
			return said;
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static String classPath(String[]... without) {
		List<String> jars = Arrays.stream(without).flatMap(Arrays::stream).toList();
		String[] all = StringUtils.delimitedListToStringArray(System.getProperty("java.class.path"),
				File.pathSeparator);
		Map<Boolean, List<String>> byPresence = Arrays.stream(all)
			.collect(Collectors.partitioningBy((entry) -> jars.stream().noneMatch(name(entry)::startsWith)));
		assertThat(jars)
			.allMatch((jar) -> byPresence.get(false).stream().anyMatch((entry) -> name(entry).startsWith(jar)));
		return String.join(File.pathSeparator, byPresence.get(true));
	}

	/** That of the module where an entry is its directory of classes. */
	private static String name(String entry) {
		Path path = Path.of(entry);
		return (path.endsWith(Path.of("target", "classes")) ? path.getParent().getParent() : path).getFileName()
			.toString();
	}

}
