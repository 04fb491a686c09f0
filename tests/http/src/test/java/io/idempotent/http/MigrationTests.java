package io.idempotent.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.idempotent.http.MigratedApplication.Orders;
import io.idempotent.lock.AcquiredLock;
import io.idempotent.lock.DistributedLocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What docs/migration.zh-CN.md says of each annotation that teams come from.
 */
@Tag("slow")
class MigrationTests {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private static ConfigurableApplicationContext context;

	private static Orders orders;

	private final String id = UUID.randomUUID().toString();

	@BeforeAll
	static void start() {
		String excluded = String.join(",",
				Stream
					.of(DataRedisAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class,
							SecurityAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
							SecurityFilterAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class)
					.map(Class::getName)
					.toList());
		context = new SpringApplicationBuilder(MigratedApplication.class).web(WebApplicationType.SERVLET)
			.properties("spring.autoconfigure.exclude=" + excluded, "server.port=0", "idempotent.store.type=local",
					"idempotent.lock.engines=local", "spring.messages.basename=io.idempotent.http.migration")
			.run();
		orders = (Orders) AopProxyUtils.getSingletonTarget(context.getBean(Orders.class));
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	/** Of a test that has failed. */
	@BeforeEach
	void forgetRuns() {
		orders.runs();
	}

	@ParameterizedTest
	@ValueSource(strings = { "migration.md", "migration.zh-CN.md" })
	void thePageDefinesTheAnnotationsThatAreTested(String page) throws IOException {
		String tested = definition(Files.readString(Path.of("src/test/java/io/idempotent/http/OldAnnotations.java")));
		List<String> defined = Stream.of(Files.readString(Path.of("../../docs", page)).split("```"))
			.filter((block) -> block.startsWith("java\n@Target"))
			.map((block) -> definition(block.substring(4)))
			.toList();
		assertThat(defined).hasSize(1).allSatisfy((definition) -> assertThat(tested).contains(definition));
	}

	private static String definition(String source) {
		return source.replace("public @interface", "@interface").replaceAll("\\s+", " ").strip();
	}

	private static HttpRequest request(String path, String order, String user) {
		URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path);
		return HttpRequest.newBuilder(uri)
			.timeout(Duration.ofSeconds(20))
			.header("Content-Type", "application/json")
			.header("Accept-Language", "zh-CN")
			.header("Authorization", user)
			.POST(BodyPublishers.ofString(order))
			.build();
	}

	private static String post(String path, String order, String user) {
		HttpResponse<String> response = CLIENT.sendAsync(request(path, order, user), BodyHandlers.ofString()).join();
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

	private String post(String path) {
		return post(path, order(1, false), "alice");
	}

	private String order(int amount, boolean fails) {
		return "{\"id\":\"" + this.id + "\",\"amount\":" + amount + ",\"fails\":" + fails + "}";
	}

	private static void assertRefused(String response, String message) {
		assertThat(response).contains("\"code\":500", "\"msg\":\"" + message + "\"");
	}

	@ParameterizedTest
	@CsvSource({ "/plus, 不允许重复提交，请稍候再试", "/pig, 重复请求，请稍后重试", "/jeecg/repeat, 该请求此前已提交并处理完成，本次未重复执行。" })
	void aRepeatIsRefusedWithItsMessage(String path, String message) {
		post(path);
		assertRefused(post(path), message);
		assertThat(orders.runs()).isEqualTo(1);
	}

	@Nested
	class RuoYiRepeatSubmit {

		@Test
		void theSameContentOfTheSameUserIsRefusedWithinTheInterval() {
			assertThat(post("/ruoyi")).isNotEmpty();
			assertRefused(post("/ruoyi"), "不允许重复提交，请稍候再试");
			post("/ruoyi", order(2, false), "alice");
			post("/ruoyi", order(1, false), "bob");
			assertThat(orders.runs()).isEqualTo(3);
			assertRefused(post("/ruoyi"), "不允许重复提交，请稍候再试");
		}

		@Test
		void afterTheIntervalItRuns() {
			post("/ruoyi/short");
			await().pollInterval(50, TimeUnit.MILLISECONDS).until(() -> !post("/ruoyi/short").contains("too soon"));
			assertThat(orders.runs()).isEqualTo(2);
		}

		@Test
		void aFailureFreesTheKeyAtOnce() {
			for (int i = 0; i < 2; i++) {
				assertThat(post("/ruoyi", order(1, true), "alice")).contains("\"code\":500");
			}
			assertThat(orders.runs()).isEqualTo(2);
		}

	}

	@Nested
	class RuoYiVuePlusRepeatSubmit {

		@Test
		void anEnvelopeOfFailureFreesTheKey() {
			post("/plus", order(1, true), "alice");
			assertThat(post("/plus", order(1, true), "alice")).isEqualTo("{\"code\":500}");
			assertThat(orders.runs()).isEqualTo(2);
		}

	}

	@Nested
	class YudaoIdempotent {

		@Test
		void theExpressionIsTheKeyOfTheUser() {
			post("/yudao");
			assertRefused(post("/yudao"), "重复请求，请稍后重试");
			post("/yudao", order(1, false), "bob");
			assertThat(orders.runs()).isEqualTo(2);
		}

		@Test
		void otherContentUnderTheSameKeyIsRefusedAsWell() {
			post("/yudao");
			assertRefused(post("/yudao", order(2, false), "alice"), "该请求的幂等键或令牌已用于内容不同的请求。请发送原来的内容，或使用新的幂等键或令牌。");
			assertThat(orders.runs()).isEqualTo(1);
		}

		@Test
		void noDuplicateRunsBesideALongRun() throws Exception {
			CompletableFuture<HttpResponse<String>> first = CLIENT
				.sendAsync(request("/yudao/long", order(1, false), "alice"), BodyHandlers.ofString());
			assertThat(orders.begun.await(1, TimeUnit.MINUTES)).isTrue();
			assertRefused(post("/yudao/long"), "重复请求，请稍后重试");
			orders.go.countDown();
			assertThat(first.get(1, TimeUnit.MINUTES).body()).isEqualTo("1");
			assertThat(orders.runs()).isEqualTo(1);
		}

	}

	@Nested
	class PigIdempotent {

		@Test
		void deletingTheKeyIsALock() {
			post("/pig/del-key");
			post("/pig/del-key");
			assertThat(orders.runs()).isEqualTo(2);
		}

	}

	@Nested
	class Locks {

		@ParameterizedTest
		@ValueSource(strings = { "/jeecg/lock", "/klock" })
		void aLockThatIsNotObtainedRunsNothing(String path) throws Exception {
			try (AcquiredLock lock = context.getBean(DistributedLocks.class)
				.get("stock:" + MigrationTests.this.id)
				.acquire(Duration.ofSeconds(1))) {
				assertThat(lock.isValid()).isTrue();
				assertRefused(post(path), "系统繁忙");
			}
			assertThat(post(path)).isEqualTo("1");
			assertThat(orders.runs()).isEqualTo(1);
		}

		@Test
		void theFailStrategyOfLock4jIsAHandler() throws Exception {
			try (AcquiredLock lock = context.getBean(DistributedLocks.class)
				.get("stock:" + MigrationTests.this.id)
				.acquire(Duration.ofSeconds(1))) {
				assertThat(lock.isValid()).isTrue();
				assertThat(post("/lock4j")).isEqualTo("busy");
			}
			assertThat(post("/lock4j")).isEqualTo("1");
			assertThat(orders.runs()).isEqualTo(1);
		}

		@Test
		void aLockWithoutAutoReleaseIsHeldAfterwards() {
			assertThat(post("/lock4j/held")).isEqualTo("1");
			assertRefused(post("/lock4j/held"), "系统繁忙");
			assertThat(orders.runs()).isEqualTo(1);
		}

	}

}
