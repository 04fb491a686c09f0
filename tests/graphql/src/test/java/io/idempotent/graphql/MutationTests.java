package io.idempotent.graphql;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each mutation takes effect once for its key.
 */
class MutationTests {

	private static final String HEADER = "Idempotency-Key";

	private static final String PAY = "mutation { pay(amount: 5) { number payer } }";

	private static EmbeddedRedis redis;

	private static ShopServer server;

	private final String key = UUID.randomUUID().toString();

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = ShopServer.start(redis, List.of(Shop.class));
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@BeforeEach
	void clear() {
		server.till().clear();
	}

	@Test
	void aKeyExpressionReadsTheArguments() {
		String document = "mutation($input: OrderInput!) { placeOrder(input: $input) { id items } }";
		Map<String, ?> input = Map.of("input", Map.of("id", this.key, "items", List.of("pen", "ink")));
		JsonNode first = server.send("ann", document, input);
		assertThat(first.at("/data/placeOrder/items/1").asString()).isEqualTo("ink");
		assertThat(server.send("ann", document, input)).isEqualTo(first);
		assertThat(server.till().placed).hasValue(1);
	}

	@Test
	void aRepeatMaySelectOtherFieldsWhichAreResolvedAgain() {
		JsonNode first = server.send("ann", PAY, Map.of(), HEADER, this.key);
		int receipts = server.till().receipts.get();
		JsonNode repeat = server.send("ann", "mutation { pay(amount: 5) { amount receipts number } }", Map.of(), HEADER,
				this.key);
		assertThat(repeat.at("/data/pay/amount").asInt()).isEqualTo(5);
		assertThat(repeat.at("/data/pay/receipts").asInt()).isEqualTo(receipts + 1);
		assertThat(repeat.at("/data/pay/number")).isEqualTo(first.at("/data/pay/number"));
		assertThat(server.till().paid).hasValue(1);
	}

	@Test
	void theDirectiveIsAKey() {
		String document = "mutation($key: String!) { pay(amount: 5) @idempotent(key: $key) { number } }";
		JsonNode first = server.send("ann", document, Map.of("key", this.key));
		assertThat(number(first)).isEqualTo(1);
		assertThat(server.send("ann", document, Map.of("key", this.key), HEADER, "another")).isEqualTo(first);
		assertThat(number(server.send("ann", PAY, Map.of(), HEADER, this.key))).isEqualTo(1);
		assertThat(number(server.send("ann", document, Map.of("key", this.key + "x")))).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "mutation Other { pay(amount: 5) { number } }", "mutation{pay(amount:5){number}}",
			"mutation { pay(note: \"none\", amount: 5) { number } payments: __typename }",
			"mutation { ...f } fragment f on Mutation { pay(amount: 5) { number } }" })
	void theFormOfADocumentIsNotCompared(String document) {
		server.send("ann", PAY, Map.of(), HEADER, this.key);
		JsonNode repeat = server.send("ann", document, Map.of(), HEADER, '"' + this.key + '"');
		assertThat(repeat.findValue("number").asInt()).isEqualTo(1);
		assertThat(server.till().paid).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "amount: 6", "amount: 5, note: \"other\"", "amount: 5, note: null" })
	void otherArgumentsNeedAnotherKey(String arguments) {
		server.send("ann", PAY, Map.of(), HEADER, this.key);
		JsonNode refused = server.send("ann", "mutation { pay(" + arguments + ") { number } }", Map.of(), HEADER,
				this.key);
		assertThat(code(refused)).isEqualTo("key-reused");
		assertThat(refused.at("/data/pay").isNull()).isTrue();
		assertThat(server.till().paid).hasValue(1);
	}

	@Test
	void anotherCallerHasKeysOfTheirOwn() {
		server.send("ann", PAY, Map.of(), HEADER, this.key);
		assertThat(server.send("bob", PAY, Map.of(), HEADER, this.key).at("/data/pay/payer").asString())
			.isEqualTo("bob");
		assertThat(server.till().paid).hasValue(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "mutation { a: pay(amount: 5) { number } b: pay(amount: 5) { number } }",
			"mutation { a: pay(amount: 5) { number } ...f ...f } fragment f on Mutation { b: pay(amount: 5) { number } }",
			"mutation { a: pay(amount: 5) { number } ... on Mutation { b: pay(amount: 5) { number } } }" })
	void eachFieldOfADocumentIsAnOperation(String document) {
		JsonNode first = server.send("ann", document, Map.of(), HEADER, this.key);
		assertThat(first.at("/data/a/number").asInt()).isEqualTo(1);
		assertThat(first.at("/data/b/number").asInt()).isEqualTo(2);
		assertThat(server.send("ann", document, Map.of(), HEADER, this.key)).isEqualTo(first);
		assertThat(server.till().paid).hasValue(2);
	}

	@Test
	void oneFieldOfADocumentMayBeRepeatedAlone() {
		server.send("ann", "mutation { a: pay(amount: 5) { number } b: pay(amount: 6) { number } }", Map.of(), HEADER,
				this.key);
		JsonNode repeat = server.send("ann", "mutation { a: pay(amount: 5) { number } }", Map.of(), HEADER, this.key);
		assertThat(repeat.at("/data/a/number").asInt()).isEqualTo(1);
		assertThat(server.till().paid).hasValue(2);
	}

	@Test
	void differentMutationsShareAHeader() {
		String document = "mutation { pay(amount: 5) { number } payAtRegister(amount: 5) { number } }";
		server.send("ann", document, Map.of(), HEADER, this.key);
		assertThat(number(server.send("ann", PAY, Map.of(), HEADER, this.key))).isEqualTo(1);
		assertThat(server.till().paid).hasValue(2);
	}

	@Test
	void aRefusedFieldLeavesItsSiblings() {
		server.send("ann", PAY, Map.of(), HEADER, this.key);
		JsonNode answer = server.send("ann",
				"mutation($key: String!) { a: pay(amount: 6) @idempotent(key: $key) { number } "
						+ "b: pay(amount: 7) @idempotent(key: \"b\") { number } }",
				Map.of("key", this.key));
		assertThat(answer.at("/data/a").isNull()).isTrue();
		assertThat(answer.at("/data/b/number").asInt()).isEqualTo(2);
		assertThat(answer.at("/errors/0/path/0").asString()).isEqualTo("a");
		assertThat(answer.at("/errors")).hasSize(1);
		assertThat(answer.at("/errors/0/extensions/classification").asString()).isEqualTo("BAD_REQUEST");
	}

	@Test
	void withoutAKeyNothingRuns() {
		JsonNode refused = server.send("ann", PAY, Map.of());
		assertThat(code(refused)).isEqualTo("key-missing");
		assertThat(refused.at("/errors/0/message").asString()).contains("nothing was carried out");
		assertThat(server.till().paid).hasValue(0);
	}

	@Test
	void aMalformedKeyIsRefused() {
		assertThat(code(server.send("ann", PAY, Map.of(), HEADER, "a", HEADER, "b"))).isEqualTo("key-malformed");
		assertThat(code(server.send("ann", PAY, Map.of(), HEADER, "a, b"))).isEqualTo("key-malformed");
		String document = "mutation($key: String!) { pay(amount: 5) @idempotent(key: $key) { number } }";
		assertThat(List.of("", " ", "a\nb", "ü", "x".repeat(256))).allSatisfy(
				(key) -> assertThat(code(server.send("ann", document, Map.of("key", key)))).isEqualTo("key-malformed"));
		assertThat(code(server.send("ann",
				"mutation { pay(amount: 5) @idempotent(key: \"a\") { number } pay(amount: 5) @idempotent(key: \"b\") { payer } }",
				Map.of())))
			.isEqualTo("key-malformed");
		assertThat(server.till().paid).hasValue(0);
	}

	@Test
	void aDuplicateOfARunningMutationIsRefused() throws Exception {
		CountDownLatch runs = new CountDownLatch(1);
		CountDownLatch ends = new CountDownLatch(1);
		server.till().before = () -> {
			runs.countDown();
			ends.await();
			return "";
		};
		CompletableFuture<JsonNode> first = CompletableFuture
			.supplyAsync(() -> server.send("ann", PAY, Map.of(), HEADER, this.key));
		runs.await();
		assertThat(code(server.send("ann", PAY, Map.of(), HEADER, this.key))).isEqualTo("in-progress");
		ends.countDown();
		assertThat(number(first.get())).isEqualTo(1);
		assertThat(number(server.send("ann", PAY, Map.of(), HEADER, this.key))).isEqualTo(1);
	}

	@Test
	void afterAFailureTheRepeatRuns() {
		server.till().before = () -> {
			throw new IllegalStateException("The bank is closed");
		};
		assertThat(server.send("ann", PAY, Map.of(), HEADER, this.key)
			.at("/errors/0/extensions/classification")
			.asString()).isEqualTo("INTERNAL_ERROR");
		server.till().before = () -> "";
		assertThat(number(server.send("ann", PAY, Map.of(), HEADER, this.key))).isEqualTo(1);
	}

	@Test
	void theMessageOfAnOperationIsThatOfTheError() {
		String document = "mutation { payAtRegister(amount: 5) { number } }";
		assertThat(server.send("ann", document, Map.of(), HEADER, this.key).has("errors")).isFalse();
		JsonNode refused = server.send("ann", document, Map.of(), HEADER, this.key);
		assertThat(code(refused)).isEqualTo("duplicate");
		assertThat(refused.at("/errors/0/message").asString()).isEqualTo("Paid already.");
	}

	@Test
	void methodSecurityDecidesFirst() {
		String document = "mutation { refund(amount: 5) { number } }";
		assertThat(server.send("bob", document, Map.of()).at("/errors/0/extensions/classification").asString())
			.isEqualTo("FORBIDDEN");
		assertThat(server.send("ann", document, Map.of(), HEADER, this.key).at("/data/refund/number").asInt())
			.isEqualTo(1);
	}

	private static int number(JsonNode answer) {
		return answer.at("/data/pay/number").asInt();
	}

	private static String code(JsonNode answer) {
		return answer.at("/errors/0/extensions/code").asString();
	}

}
