package io.idempotent.boot.endpoint;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.boot.endpoint.OperatorServer.Answer;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bad input is answered with the reason and the way out, and never repeated.
 */
@ExtendWith(OutputCaptureExtension.class)
class BadInputTests {

	private static final String HOSTILE = "<img src=x onerror=alert(1)>\r\nINFO forged";

	private static EmbeddedRedis redis;

	private static OperatorServer server;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = OperatorServer.start(redis, List.of(Shop.class), "logging.level.io.idempotent=debug",
				"management.endpoint.idempotent.access=unrestricted");
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@Test
	void anUnknownOperationGetsTheKnownOnes() {
		Answer answer = server.get("/record", "operation", "odrer", "key", "1");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text("error")).startsWith("This node does not know the operation");
		assertThat(answer.json().get("operations").valueStream().map((name) -> name.asString())).contains("basket",
				"order", "refund", "transfer");
	}

	@Test
	void theListOfKnownOperationsIsBounded() {
		try (OperatorServer other = OperatorServer.start(redis, List.of(Shop.class))) {
			IdempotencyTemplate template = other.bean(IdempotencyTemplate.class);
			for (int i = 0; i < 60; i++) {
				template.executeWithoutResult("generated-" + i, "1", (context) -> {
				});
			}
			Answer answer = other.get("/record", "operation", "absent", "key", "1");
			assertThat(answer.json().get("operations").size()).isEqualTo(50);
			assertThat(answer.json().get("moreOperations").asInt()).isBetween(1, 30);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "operation", "id", "key", "path", "method", "contentType", "entrance", "limit" })
	void inputIsNotEchoed(String parameter, CapturedOutput log) {
		List<String> parameters = new ArrayList<>(List.of(parameter, HOSTILE));
		String view = parameter.equals("limit") ? "/unknown" : "/record";
		addUnlessPresent(parameters, "operation", parameter.equals("contentType") ? "form" : "order");
		if (!parameter.equals("operation") && !parameter.equals("id")) {
			addUnlessPresent(parameters, "key", "1");
			addUnlessPresent(parameters, "path", parameter.equals("contentType") ? "/forms" : "/customers/1/orders/2");
		}
		Answer answer = server.get(view, parameters.toArray(String[]::new));
		assertThat(answer.status()).as(answer.body()).isEqualTo(400);
		assertThat(answer.text("error")).isNotEmpty();
		assertThat(answer.body()).doesNotContain("onerror").doesNotContain("forged");
		assertThat(log.getAll()).doesNotContain("onerror").doesNotContain("forged");
	}

	@Test
	void anUndecodablePathIsNotEchoed(CapturedOutput log) {
		Answer answer = server.get("/record", "operation", "order", "key", "1", "path", "/customers/%zz/orders/2");
		assertThat(answer.status()).as(answer.body()).isEqualTo(400);
		assertThat(answer.text("error")).startsWith("The path has a '%' that encodes no character");
		assertThat(answer.body()).doesNotContain("%zz");
		assertThat(log.getAll()).doesNotContain("%zz");
	}

	private static void addUnlessPresent(List<String> parameters, String name, String value) {
		if (!parameters.contains(name)) {
			parameters.addAll(List.of(name, value));
		}
	}

	@ParameterizedTest
	@CsvSource({ "/record,400", "/record?operation=refund,400", "/record?key=1,400",
			"/record?operation=order&key=1,400", "/record?operation=order&key=1&path=/elsewhere,400",
			"/record?operation=order&key=1&path=/customers/1/orders/2&method=GET,400",
			"/record?operation=order&key=a%20b&path=/customers/1/orders/2,400",
			"/record?operation=order&key=1&path=/customers/1/orders/2&entrance=jms,400", "/unknown?limit=0,400",
			"/unknown?limit=501,400", "/unknown?limit=x,400", "/other,404", "/unknown/more,404" })
	void anIncompleteQueryGetsAReason(String view, int status) {
		Answer answer = server.answer(server.management("reader", view));
		assertThat(answer.status()).as(answer.body()).isEqualTo(status);
	}

	@Test
	void anUnreachableStoreGetsA503() {
		try (EmbeddedRedis other = EmbeddedRedis.start();
				OperatorServer unlucky = OperatorServer.start(other, List.of(Shop.class),
						"idempotent.store.redis.timeout=500ms")) {
			other.stop();
			Answer answer = unlucky.get("/record", "operation", "refund", "key", "1");
			assertThat(answer.status()).isEqualTo(503);
			assertThat(answer.text("error")).startsWith("The store or the guarded database does not respond");
			assertThat(unlucky.get("").status()).isEqualTo(200);
		}
	}

}
