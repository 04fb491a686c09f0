package io.idempotent.administration.autoconfigure;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.administration.autoconfigure.OperatorServer.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operator releases or confirms an operation, and the reason is kept.
 */
@Tag("slow")
class InterventionTests {

	@AutoClose
	private static OperatorServer server;

	@BeforeAll
	static void start() {
		server = OperatorServer.start(List.of(Shop.class), "management.endpoint.idempotent.access=unrestricted",
				"logging.level.io.idempotent.audit=info");
	}

	@Test
	void aReleasedOperationRunsAgain() {
		String key = unknownPayment();
		Answer released = intervene("release", key, "reason", "The bank has no such payment");
		assertThat(released.status()).as(released.body()).isEqualTo(200);
		assertThat(released.text("state")).isIn("ABSENT", "ISSUED");
		assertThat(released.text("intervention.action")).isEqualTo("release");
		assertThat(released.text("intervention.by")).isEqualTo("operator");
		assertThat(released.text("intervention.reason")).isEqualTo("The bank has no such payment");
		HttpResponse<String> again = pay(key);
		assertThat(again.statusCode()).isEqualTo(200);
		assertThat(again.headers().firstValue("Idempotency-Replayed")).isEmpty();
		assertThat(record(key).text("state")).isEqualTo("COMPLETED");
	}

	@Test
	void aConfirmedOperationNeverRunsAgain() {
		String key = unknownPayment();
		Answer confirmed = intervene("confirm", key, "reason", "Found in the bank's list");
		assertThat(confirmed.status()).as(confirmed.body()).isEqualTo(200);
		assertThat(confirmed.text("state")).isEqualTo("COMPLETED");
		int ran = server.bean(Shop.Bank.class).payments.get();
		assertThat(pay(key).statusCode()).isEqualTo(409);
		assertThat(server.bean(Shop.Bank.class).payments).hasValue(ran);
	}

	@Test
	void anUnknownOutcomeIsListedUntilItIsSettled() {
		String key = unknownPayment();
		String id = record(key).text("id");
		assertThat(idsOfUnknown()).contains(id);
		Answer settled = server.post("action", "confirm", "id", id.substring(0, 12), "reason", "Checked");
		assertThat(settled.status()).as(settled.body()).isEqualTo(200);
		assertThat(idsOfUnknown()).doesNotContain(id);
	}

	@Test
	void aRunningOperationIsRefusedUnlessForced() {
		var running = (IdempotencyTemplate.Entry.Proceed<?>) server.bean(IdempotencyTemplate.class)
			.before("adjustment", "slow");
		Answer refused = adjust("release", "false");
		assertThat(refused.status()).as(refused.body()).isEqualTo(409);
		assertThat(refused.text("refused")).isEqualTo("OWNER_ALIVE");
		assertThat(refused.text("record.state")).isEqualTo("IN_PROGRESS");
		assertThat(refused.json().at("/record/owner/thisNode").asBoolean()).isTrue();
		assertThat(server.get("").json().get("running").asInt()).isEqualTo(1);
		Answer forced = adjust("release", "true");
		assertThat(forced.status()).as(forced.body()).isEqualTo(200);
		assertThat(forced.json().at("/intervention/forced").asBoolean()).isTrue();
		running.attempt().failed();
	}

	private static Answer adjust(String action, String force) {
		return server.post("action", action, "operation", "adjustment", "key", "slow", "entrance", "method", "reason",
				"Stuck", "force", force);
	}

	@Test
	void aDecisionOnAnEarlierAttemptIsRefused() {
		String key = unknownPayment();
		assertThat(record(key).json().get("attempt").asInt()).isOne();
		assertThat(intervene("release", key, "reason", "No such payment").status()).isEqualTo(200);
		leaveUnknown(key);
		Answer late = intervene("release", key, "reason", "No such payment", "attempt", "1", "force", "true");
		assertThat(late.status()).as(late.body()).isEqualTo(409);
		assertThat(late.text("refused")).isEqualTo("CHANGED");
		assertThat(late.json().at("/record/attempt").asInt()).isEqualTo(2);
		assertThat(record(key).text("state")).isEqualTo("UNKNOWN");
		assertThat(intervene("confirm", key, "reason", "Paid", "attempt", "2").status()).isEqualTo(200);
		assertThat(intervene("confirm", key, "reason", "Paid", "attempt", "two").status()).isEqualTo(400);
	}

	@Test
	void aCompletedOperationIsRefused() {
		String key = UUID.randomUUID().toString();
		assertThat(pay(key).statusCode()).isEqualTo(200);
		Answer refused = intervene("release", key, "reason", "A mistake", "force", "true");
		assertThat(refused.status()).as(refused.body()).isEqualTo(409);
		assertThat(refused.text("refused")).isEqualTo("NOT_IN_PROGRESS");
		assertThat(refused.text("record.state")).isEqualTo("COMPLETED");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void anInterventionIsAudited(CapturedOutput log) {
		String key = unknownPayment();
		String hash = record(key).text("hash");
		intervene("release", key, "reason", "Audited one");
		assertThat(log.getAll().lines().filter((line) -> line.contains("Audited one"))).singleElement()
			.asString()
			.contains("operator")
			.contains(hash);
		Answer events = new Answer(200, server
			.send(OperatorServer.as("reader", server.request(null, "/actuator/auditevents?type=IDEMPOTENT_RELEASE")))
			.body());
		assertThat(events.json().get("events")).anySatisfy((event) -> {
			assertThat(event.get("principal").asString()).isEqualTo("operator");
			assertThat(event.at("/data/hash").asString()).isEqualTo(hash);
			assertThat(event.at("/data/operation").asString()).isEqualTo("payment");
			assertThat(event.at("/data/reason").asString()).isEqualTo("Audited one");
		});
		JsonNode last = server.get("").json().at("/interventions/0");
		assertThat(last.get("reason").asString()).isEqualTo("Audited one");
		assertThat(last.get("hash").asString()).isEqualTo(hash);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "release,-,-", "release,' ',-", "-,why,-", "delete,why,-", "release,why,yes" })
	void anIncompleteRequestIsRefused(String action, String reason, String force) {
		String key = unknownPayment();
		Answer answer = intervene(requireNonNullElse(action, ""), key, "reason", requireNonNullElse(reason, ""),
				"force", requireNonNullElse(force, "false"));
		assertThat(answer.status()).as(answer.body()).isEqualTo(400);
		assertThat(answer.text("error")).isNotEmpty();
		assertThat(record(key).text("state")).isEqualTo("UNKNOWN");
	}

	@Test
	void aReasonHasABoundedLength() {
		String key = unknownPayment();
		assertThat(intervene("confirm", key, "reason", "x".repeat(201)).status()).isEqualTo(400);
		assertThat(intervene("confirm", key, "reason", "款".repeat(200)).status()).isEqualTo(200);
	}

	private static List<String> idsOfUnknown() {
		Answer unknown = server.get("/unknown", "limit", "100");
		assertThat(unknown.status()).as(unknown.body()).isEqualTo(200);
		return unknown.json().get("unknown").valueStream().map((one) -> one.get("id").asString()).toList();
	}

	private static Answer record(String key) {
		return server.get("/record", "operation", "payment", "key", key, "path", "/payments", "caller", "ann");
	}

	private static Answer intervene(String action, String key, String... members) {
		Stream<String> payment = Stream.of("action", action, "operation", "payment", "key", key, "path", "/payments",
				"caller", "ann");
		return server.post(Stream.concat(payment, Stream.of(members)).toArray(String[]::new));
	}

	private static HttpResponse<String> pay(String key) {
		return server.send(server.post("ann", "/payments", "application/json", "{}").header("Idempotency-Key", key));
	}

	private static String unknownPayment() {
		String key = UUID.randomUUID().toString();
		leaveUnknown(key);
		return key;
	}

	private static void leaveUnknown(String key) {
		Shop.Bank bank = server.bean(Shop.Bank.class);
		bank.broken = true;
		try {
			assertThat(pay(key).statusCode()).isEqualTo(500);
		}
		finally {
			bank.broken = false;
		}
		assertThat(record(key).text("state")).isEqualTo("UNKNOWN");
	}

}
