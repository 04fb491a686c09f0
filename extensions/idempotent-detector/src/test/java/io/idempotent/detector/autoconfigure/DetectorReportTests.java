package io.idempotent.detector.autoconfigure;

import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.testing.TestPostgres;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How an operator learns of what would have run twice, with each kind of store.
 */
@ExtendWith(OutputCaptureExtension.class)
class DetectorReportTests {

	private static DetectorNode node;

	@BeforeAll
	static void start() {
		node = DetectorNode.start(MeteredApplication.class, "idempotent.store.type=local",
				"idempotent.store.local.max-records=1");
	}

	@AfterAll
	static void stop() {
		node.close();
	}

	@Test
	void oneLineIsLoggedForAnEndpoint(CapturedOutput output) {
		for (int i = 0; i < 3; i++) {
			node.send(node.json("/logged?token=secret", "{\"card\": 1}").header("X-User", "ida"));
		}
		node.awaitCounts("/logged", 3, 2, 0);
		assertThat(output.getOut())
			.contains("POST /logged (Orders.order) ran the same request twice: 1 of 2 ", "@ApiIdempotent")
			.doesNotContain("secret", "card", "ida");
		assertThat(StringUtils.countOccurrencesOf(output.getOut(), "ran the same request twice")).isOne();
	}

	@Test
	void requestsAreCountedByAMetric() {
		node.post("/callers", "a");
		node.post("/callers", "a");
		node.post("/reader", "a");
		node.awaitCounts("/callers", 2, 1, 0);
		node.awaitCounts("/reader", 0, 0, 1);
		assertThat(counted(node, "/callers", "first")).isOne();
		assertThat(counted(node, "/callers", "repeated")).isOne();
		assertThat(counted(node, "/reader", "unjudged")).isOne();
	}

	private static double counted(DetectorNode node, String uri, String verdict) {
		return node.bean(MeterRegistry.class)
			.get("idempotent.detector.requests")
			.tags("method", "POST", "uri", uri, "verdict", verdict)
			.counter()
			.count();
	}

	@Test
	void endpointsAreListedBeforeTheirFirstRequest() {
		for (int i = 0; i < 6; i++) {
			node.post("/nodes", "a");
		}
		node.awaitCounts("/nodes", 6, 5, 0);
		String body = node.send(node.request("/actuator/idempotentdetector"));
		assertThat(body)
			.containsSubsequence("\"sampling\":1.0", "\"window\":\"PT1M\"",
					"\"endpoints\":[{\"method\":\"POST\",\"uri\":\"/nodes\",\"handler\":\"Orders.order\","
							+ "\"idempotent\":false,\"requests\":6,\"repeated\":5,\"unjudged\":0,\"lastRepeat\":\"")
			.contains(
					"{\"method\":\"PATCH\",\"uri\":\"/patched\",\"handler\":\"Orders.patch\",\"idempotent\":false,"
							+ "\"requests\":0,\"repeated\":0,\"unjudged\":0",
					"\"uri\":\"/annotated\",\"handler\":\"Orders.annotated\",\"idempotent\":true", "\"uri\":\"/any\"")
			.doesNotContain("/error", "/safe", "/token");
	}

	@Test
	void theStoreInMemoryIsLeftToOperations() {
		node.post("/memory", "a");
		node.post("/memory", "b");
		node.post("/memory", "a");
		node.awaitCounts("/memory", 3, 1, 0);
		assertThat(node.send(node.json("/annotated", "a").header("Idempotency-Key", "1"))).isEqualTo("a");
	}

	@Test
	void twoNodesShareADatabase() {
		try (TestPostgres postgres = TestPostgres.start();
				DetectorNode one = onDatabase(postgres);
				DetectorNode other = onDatabase(postgres)) {
			one.post("/database", "a");
			one.awaitCounts("/database", 1, 0, 0);
			other.post("/database", "a");
			other.awaitCounts("/database", 1, 1, 0);
			assertThat(new JdbcTemplate(postgres.dataSource()).queryForObject("select count(*) from idempotent_record",
					Long.class))
				.isOne();
			assertThat(one.bean(IdempotencyAdministration.class).unknown(10).records()).isEmpty();
		}
	}

	private static DetectorNode onDatabase(TestPostgres postgres) {
		return DetectorNode.start(WatchedApplication.class, "idempotent.store.type=jdbc",
				"idempotent.initialize-schema=always", "spring.datasource.url=" + postgres.url());
	}

	@Test
	void aNodeRemembersWhereReceiptsAreTheOnlyRecords() {
		try (DetectorNode node = DetectorNode.start(WatchedApplication.class, "idempotent.store.type=receipt",
				"idempotent.guard.enabled=true", "idempotent.initialize-schema=always")) {
			node.post("/memory", "a");
			node.post("/memory", "a");
			node.awaitCounts("/memory", 2, 1, 0);
		}
	}

	@Test
	void nothingIsWatchedWhileTheLibraryIsSwitchedOff() {
		try (DetectorNode node = DetectorNode.start(WatchedApplication.class, "idempotent.enabled=false")) {
			assertThat(node.post("/logged", "a")).isEqualTo("a");
			assertThat(node.beans(RepeatDetector.class)).isZero();
			assertThat(node.beans(EndpointCounts.class)).isZero();
		}
	}

	@ParameterizedTest
	@CsvSource({ "1.1, 1m", "-0.1, 1m", "1, 0s" })
	void aSettingThatCannotWorkFailsTheStart(String sampling, String window) {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> DetectorNode.start(WatchedApplication.class, "idempotent.store.type=local",
					"idempotent.detector.sampling=" + sampling, "idempotent.detector.window=" + window))
			.havingRootCause()
			.isInstanceOf(InvalidConfigurationException.class)
			.withMessageContaining("idempotent.detector.");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(WatchedApplication.class)
	static class MeteredApplication {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

}
