package io.idempotent.operations;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.testing.RedisTalk;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Every query of the dashboard and of the alerts finds its series in an application on
 * Redis and PostgreSQL, with switching between lock engines, that had first runs,
 * replays, refusals, locks, a flushed Redis and a stopped one.
 */
@Tag("slow")
class MonitoringTests {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static EmbeddedRedis redis;

	private static TestPostgres postgres;

	private static ConfigurableApplicationContext shop;

	private static String scrape;

	@BeforeAll
	static void putLoadOnTheShop() throws Exception {
		redis = EmbeddedRedis.start();
		postgres = TestPostgres.start();
		try (HikariDataSource database = new HikariDataSource()) {
			database.setJdbcUrl(postgres.url());
			database.setMaximumPoolSize(1);
			new JdbcTemplate(database).execute("create table purchase_order (id bigserial primary key, sku text)");
		}
		shop = new SpringApplicationBuilder(Shop.class).web(WebApplicationType.SERVLET)
			.properties(Map.of("server.port", "0", "spring.application.name", "shop", "spring.data.redis.host",
					redis.host(), "spring.data.redis.port", redis.port(), "spring.data.redis.timeout", "1s",
					"spring.datasource.url", postgres.url(), "idempotent.guard.enabled", "true",
					"idempotent.initialize-schema", "always", "idempotent.store.redis.timeout", "1s",
					"management.endpoints.web.exposure.include", "prometheus,health,info"))
			.properties("idempotent.lock.engines=redisson,jdbc", "idempotent.initialize-schema=always",
					"idempotent.lock.switching.enabled=true", "idempotent.lock.switching.authority=jdbc")
			.properties("management.endpoint.health.show-details=always", "management.info.env.enabled=false")
			.run();
		submit();
		flushWhileAnOperationRuns();
		lock();
		stopRedis();
		scrape = get("/actuator/prometheus");
	}

	private static void submit() throws Exception {
		assertThat(post("/orders", "order-1", "book")).isEqualTo(200);
		assertThat(post("/orders", "order-1", "book")).isEqualTo(200);
		assertThat(post("/orders", "order-1", "pen")).isEqualTo(422);
		assertThat(post("/payments", "payment-1", "")).isEqualTo(500);
		assertThat(post("/payments", "payment-1", "")).isEqualTo(409);
	}

	/** The first run loses its claim to the second one. */
	private static void flushWhileAnOperationRuns() throws Exception {
		Shop.SlowRuns runs = shop.getBean(Shop.SlowRuns.class);
		CompletableFuture<Integer> first = CompletableFuture
			.supplyAsync(() -> Unchecked.call(() -> post("/slow", "slow-1", "")));
		runs.awaitBegin();
		assertThat(post("/slow", "slow-1", "")).isEqualTo(409);
		RedisTalk.tell(redis, "FLUSHALL");
		Runnable endOfFirst = runs.endLaterOnes();
		assertThat(post("/slow", "slow-1", "")).isEqualTo(200);
		endOfFirst.run();
		assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo(200);
	}

	private static void lock() throws Exception {
		assertThat(post("/stock", "", "")).isEqualTo(200);
		DistributedLock held = shop.getBean(DistributedLocks.class).get("stock:sku-2");
		held.lock();
		try {
			assertThat(CompletableFuture.supplyAsync(held::tryLock).get(1, TimeUnit.MINUTES)).isFalse();
		}
		finally {
			held.unlock();
		}
	}

	private static void stopRedis() throws Exception {
		redis.stop();
		assertThat(post("/orders", "order-2", "book")).isEqualTo(503);
		assertThat(post("/coupons", "coupon-1", "")).isEqualTo(200);
		assertThat(post("/stock", "", "")).isEqualTo(503);
		redis.restart();
	}

	@AfterAll
	static void stop() {
		if (shop != null) {
			shop.close();
		}
		if (postgres != null) {
			postgres.close();
		}
		if (redis != null) {
			redis.close();
		}
	}

	@Test
	void everyQueryNamesExistingMetricsAndLabels() throws IOException {
		assertThat(Queries.all(Prometheus.JOB)).hasSizeGreaterThan(40).allSatisfy((name, query) -> {
			assertThat(Queries.selectors(query)).as(name).isNotEmpty();
			for (String selector : Queries.selectors(query)) {
				String metric = Queries.metric(selector);
				List<String> series = scrape.lines().filter((line) -> line.matches(metric + "[{ ].*")).toList();
				assertThat(series).as(name + ": " + metric).isNotEmpty();
				for (String label : Queries.labels(query)) {
					assertThat(series).as(name + ": " + metric + " has " + label)
						.allSatisfy((line) -> assertThat(line).containsPattern("[{,]" + Pattern.quote(label) + "=\""));
				}
			}
		});
	}

	@Test
	void everyAlertSaysWhyAndWhatToDo() throws IOException {
		assertThat(Queries.rules()).isNotEmpty().allSatisfy((rule) -> {
			String name = String.valueOf(rule.get("alert"));
			@SuppressWarnings("unchecked")
			Map<String, String> annotations = (Map<String, String>) Objects.requireNonNull(rule.get("annotations"));
			assertThat(annotations).containsKeys("summary", "description", "reason")
				.containsEntry("runbook_url", "docs/operations.md#alert-" + name.toLowerCase(Locale.ROOT));
		});
	}

	@Test
	void prometheusFindsTheSeriesOfEveryQuery(@TempDir Path directory) throws Exception {
		Path binary = Prometheus.installed();
		assumeTrue(binary != null, "No prometheus on the PATH (Debian package prometheus): names and labels of the "
				+ "queries were checked, but no query was evaluated");
		int port = Integer.parseInt(Objects.requireNonNull(shop.getEnvironment().getProperty("local.server.port")));
		try (Prometheus prometheus = Prometheus.start(Objects.requireNonNull(binary), directory, port)) {
			prometheus.await("count_over_time(idempotent_lock_epoch[1m]) > 3");
			for (Map.Entry<String, String> query : Queries.all(Prometheus.JOB).entrySet()) {
				prometheus.query(query.getValue());
				for (String selector : Queries.selectors(query.getValue())) {
					assertThat(prometheus.query(selector)).as(query.getKey() + ": " + selector).isNotEmpty();
				}
			}
			assertThat(prometheus.rules().findValuesAsString("lastError")).allMatch(String::isEmpty);
			assertThat(prometheus.query("ALERTS{alertname=\"IdempotentUnprotectedRuns\", alertstate=\"firing\"}"))
				.isNotEmpty();
			assertThat(prometheus.query("ALERTS{alertname=\"IdempotentOutcomeUnknown\", alertstate=\"firing\"}"))
				.isNotEmpty();
		}
	}

	private static int post(String path, String key, String body) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body));
		if (!key.isEmpty()) {
			request.header("Idempotency-Key", key);
		}
		return HTTP.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
	}

	private static String get(String path) throws IOException, InterruptedException {
		return HTTP.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString()).body();
	}

	private static URI uri(String path) {
		return URI.create("http://localhost:" + shop.getEnvironment().getProperty("local.server.port") + path);
	}

}
