package io.idempotent.administration.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.autoconfigure.OperatorServer.Answer;
import io.idempotent.administration.autoconfigure.PolicySettings.Setting;
import io.idempotent.administration.autoconfigure.Responses.OperationBody;
import io.idempotent.method.IdempotentMethods;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Operations are shown with the place where each setting was set.
 */
@Tag("slow")
class OperationSettingsTests {

	@AutoClose
	private static OperatorServer server;

	@BeforeAll
	static void start() {
		server = OperatorServer.start(List.of(Shop.class), "idempotent.defaults.when-in-progress=wait",
				"idempotent.defaults.ignored-fields=sentAt,traceId", "idempotent.operations.order.retention=2d",
				"idempotent.operations.comment.compared-fields=text", "order.lease=25s");
	}

	private static Map<String, JsonNode> settings(String operation) {
		Map<String, JsonNode> settings = new TreeMap<>();
		operation(operation).get("settings")
			.forEach((setting) -> settings.put(setting.get("name").asString(), setting));
		return settings;
	}

	private static JsonNode operation(String name) {
		return server.get("")
			.json()
			.get("operations")
			.valueStream()
			.filter((one) -> one.get("name").asString().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private static String text(JsonNode setting, String member) {
		return setting.path(member).asString("");
	}

	@Test
	void theNodeIsDescribed() {
		Answer answer = server.get("");
		assertThat(answer.text("namespace")).isEqualTo("shop");
		assertThat(answer.text("node")).isNotEmpty();
		assertThat(answer.text("store")).isEqualTo("redis");
		assertThat(answer.json().get("running").asInt()).isZero();
		assertThat(answer.json().get("interventions").isEmpty()).isTrue();
	}

	@Test
	void httpAndMethodOperationsAreListed() {
		assertThat(operation("order").properties()).contains(
				entry("entrance", tools.jackson.databind.node.StringNode.valueOf("http")),
				entry("key", tools.jackson.databind.node.StringNode.valueOf("HEADER")));
		assertThat(operation("order").get("requests").get(0).asString())
			.isEqualTo("POST /customers/{customer}/orders/{number}");
		assertThat(text(operation("refund"), "entrance")).isEqualTo("method");
		assertThat(text(operation("refund"), "expression")).isEqualTo("#id");
		assertThat(operation("refund").has("requests")).isFalse();
		assertThat(text(operation("letter"), "key")).isEqualTo("HEADER");
	}

	@Test
	void aPlaceholderInAnAnnotationIsResolved() {
		JsonNode lease = settings("order").get("lease");
		assertThat(text(lease, "value")).isEqualTo("PT25S");
		assertThat(text(lease, "source")).isEqualTo("annotation");
	}

	@Test
	void aPropertyOfTheOperationIsNamed() {
		JsonNode retention = settings("order").get("retention");
		assertThat(text(retention, "value")).isEqualTo("PT48H");
		assertThat(text(retention, "source")).isEqualTo("idempotent.operations.order.retention");
		JsonNode compared = settings("comment").get("comparedFields");
		assertThat(compared.get("value").get(0).asString()).isEqualTo("text");
		assertThat(text(compared, "source")).isEqualTo("idempotent.operations.comment.compared-fields");
		assertThat(settings("comment").get("ignoredFields").get("value").isEmpty()).isTrue();
	}

	@Test
	void aConfiguredDefaultIsNamed() {
		assertThat(text(settings("order").get("whenInProgress"), "source"))
			.isEqualTo("idempotent.defaults.when-in-progress");
		assertThat(text(settings("order").get("ignoredFields"), "source"))
			.isEqualTo("idempotent.defaults.ignored-fields");
		assertThat(text(settings("refund").get("whenInProgress"), "value")).isEqualTo("WAIT");
		assertThat(text(settings("order").get("whenCompleted"), "source")).isEqualTo("default");
		assertThat(text(settings("order").get("receipt"), "value")).isEqualTo("OFF");
	}

	/** The operations page asks every five seconds. */
	@Test
	void settingsAreDescribedOnce() {
		AtomicInteger described = new AtomicInteger();
		CallCatalog catalog = new CallCatalog(server.bean(IdempotentMethods.class), () -> List.of("other"), List::of,
				"shop");
		OperationDirectory directory = new OperationDirectory(List.of(catalog), (operation) -> {
			described.incrementAndGet();
			return List.of(new Setting("lease", "PT30S", "default"));
		}, server.bean(IdempotencyAdministration.class));
		List<OperationBody> operations = directory.describe();
		assertThat(directory.describe()).isEqualTo(operations);
		assertThat(described).hasValue(operations.size());
	}

}
