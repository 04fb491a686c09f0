package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.key.TokenSigner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Form tokens, from their issue to their end.
 */
class TokenTests {

	private static final String BODY = "{\"sku\":\"tea\"}";

	private static final String OLD = "old-secret-old-secret-old-secret-1";

	private static final String NEW = "new-secret-new-secret-new-secret-2";

	private static EmbeddedRedis redis;

	private static final Map<Mode, TestServer> servers = new EnumMap<>(Mode.class);

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		for (Mode mode : Mode.values()) {
			servers.put(mode, TestServer.start(redis, Orders.class, mode.properties.lines().toArray(String[]::new)));
		}
	}

	@AfterAll
	static void stop() {
		servers.values().forEach(TestServer::close);
		redis.close();
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "STORED", "SIGNED" })
	void aTokenWorksOnceAndReplaysFromThenOn(Mode mode) {
		String token = servers.get(mode).token();
		int made = Orders.made.get();
		HttpResponse<byte[]> first = order(mode, "/orders", BODY, token);
		assertThat(first.statusCode()).isEqualTo(200);
		for (int i = 0; i < 3; i++) {
			TestServer.assertReplays(first, order(mode, "/orders", BODY, token));
		}
		assertThat(Orders.made).hasValue(made + 1);
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "STORED", "SIGNED" })
	void aTokenThatWasReleasedMayBeUsedAgain(Mode mode) {
		String token = servers.get(mode).token();
		for (int i = 0; i < 3; i++) {
			assertThat(order(mode, "/orders", "{\"sku\":\"\"}", token).statusCode()).isEqualTo(422);
		}
		HttpResponse<byte[]> corrected = order(mode, "/orders", BODY, token);
		assertThat(corrected.statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(corrected)).isFalse();
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "STORED", "SIGNED" })
	void twoTabsDoNotBreakEachOther(Mode mode) {
		String one = servers.get(mode).token();
		String other = servers.get(mode).token();
		HttpResponse<byte[]> others = order(mode, "/orders", BODY, other);
		HttpResponse<byte[]> ones = order(mode, "/orders", BODY, one);
		assertThat(List.of(ones, others)).noneMatch(TestServer::isReplayed)
			.extracting(TestServer::text)
			.doesNotHaveDuplicates();
		assertThat(order(mode, "/orders", BODY, one).body()).isEqualTo(ones.body());
		assertThat(order(mode, "/orders", BODY, other).body()).isEqualTo(others.body());
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "STORED", "SIGNED" })
	void aTokenMayBeMadeForOneOperation(Mode mode) {
		String token = TestServer.text(servers.get(mode)
			.send(servers.get(mode).request("/token?operation=Orders.create").header("Accept", "text/plain")));
		assertUnknown(order(mode, "/retained", BODY, token));
		assertThat(order(mode, "/orders", BODY, token).statusCode()).isEqualTo(200);
		assertUnknown(order(mode, "/retained", BODY, token));
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "STORED", "SIGNED" })
	void anyCharacterThatIsChangedMakesATokenUnknown(Mode mode) {
		String token = servers.get(mode).token();
		int made = Orders.made.get();
		for (int at = 0; at < token.length(); at++) {
			for (char other : new char[] { (token.charAt(at) == 'A') ? 'B' : 'A', (token.charAt(at) == '2') ? '1' : '2',
					'.' }) {
				if (other != token.charAt(at)) {
					assertUnknown(
							order(mode, "/orders", BODY, token.substring(0, at) + other + token.substring(at + 1)));
				}
			}
			assertUnknown(order(mode, "/orders", BODY, token.substring(0, at) + token.substring(at + 1)));
		}
		assertUnknown(order(mode, "/orders", BODY, token + "A"));
		assertUnknown(order(mode, "/orders", BODY, token + "="));
		assertThat(Orders.made).hasValue(made);
		assertThat(order(mode, "/orders", BODY, token).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "STORED_SHORT", "SIGNED_SHORT" })
	void anExpiredTokenIsUnknownUnlessItWasUsed(Mode mode) {
		String used = servers.get(mode).token();
		HttpResponse<byte[]> first = order(mode, "/orders", BODY, used);
		assertThat(first.statusCode()).isEqualTo(200);
		String unused = servers.get(mode).token();
		// An expired token is refused before anything runs, so asking does no harm.
		await().atMost(Duration.ofMinutes(1))
			.until(() -> TestServer.code(order(mode, "/refusing", BODY, unused)).equals("token-unknown"));
		int made = Orders.made.get();
		assertUnknown(order(mode, "/orders", BODY, unused));
		TestServer.assertReplays(first, order(mode, "/orders", BODY, used));
		assertThat(Orders.made).hasValue(made);
	}

	@Test
	void anIssuedTokenIsOneWriteThatExpires() {
		TestServer server = servers.get(Mode.STORED);
		Records records = Records.of(server);
		Set<String> before = records.all().keySet();
		Map<String, Integer> ran = ranDuring(server::token);
		assertThat(ran).isEqualTo(Map.of("set", 1));
		Set<String> issued = new HashSet<>(records.all().keySet());
		issued.removeAll(before);
		assertThat(issued).hasSize(1)
			.allSatisfy((key) -> assertThat(records.lifeOf(key)).isBetween(Duration.ofMinutes(9).toMillis(),
					Duration.ofMinutes(10).toMillis()));
	}

	@Test
	void aSignedTokenCostsTheStoreNothingUntilItIsUsed() {
		TestServer server = servers.get(Mode.SIGNED);
		Records records = Records.of(server);
		Set<String> before = records.all().keySet();
		assertThat(ranDuring(() -> {
			for (int i = 0; i < 20; i++) {
				server.token();
			}
		})).isEmpty();
		assertThat(ranDuring(() -> assertUnknown(order(Mode.SIGNED, "/orders", BODY, "k1.forged")))).isEmpty();
		assertThat(records.all().keySet()).isEqualTo(before);
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "STORED", "SIGNED" })
	void theRecordOfAUsedTokenOutlivesTheToken(Mode mode) {
		Records records = Records.of(servers.get(mode));
		for (String path : List.of("/retained", "/short-retention")) {
			Set<String> before = records.all().keySet();
			String token = servers.get(mode).token();
			assertThat(order(mode, path, BODY, token).statusCode()).isEqualTo(200);
			Set<String> written = new HashSet<>(records.all().keySet());
			written.removeAll(before);
			assertThat(written).as(path)
				.hasSize(1)
				.allSatisfy((key) -> assertThat(records.lifeOf(key)).isGreaterThan(Duration.ofMinutes(10).toMillis()));
		}
	}

	@Test
	void keysRotate() {
		String byOld = servers.get(Mode.SIGNED).token();
		assertThat(byOld).startsWith("k1.");
		assertThat(order(Mode.ROTATED, "/orders", BODY, byOld).statusCode()).isEqualTo(200);
		String byNew = servers.get(Mode.ROTATED).token();
		assertThat(byNew).startsWith("k2.");
		assertThat(order(Mode.SIGNED, "/orders", BODY, byNew).statusCode()).isEqualTo(200);
		assertUnknown(order(Mode.NEW_ONLY, "/orders", BODY, byOld));
		assertUnknown(order(Mode.NEW_ONLY, "/orders", BODY, servers.get(Mode.SIGNED).token()));
		HttpResponse<byte[]> elsewhere = order(Mode.NEW_ONLY, "/orders", BODY, byNew);
		assertThat(TestServer.isReplayed(elsewhere)).isTrue();
	}

	@Test
	void aTokenOfTheOtherModeIsUnknown() {
		assertUnknown(order(Mode.SIGNED, "/orders", BODY, servers.get(Mode.STORED).token()));
		assertUnknown(order(Mode.STORED, "/orders", BODY, servers.get(Mode.SIGNED).token()));
	}

	@Test
	void theIdOfASigningKeyFitsIntoAToken() {
		assertThatThrownBy(() -> TestServer.start(redis, Orders.class, "idempotent.token.signing.active-key=k.1",
				"idempotent.token.signing.keys[k.1]=" + OLD))
			.rootCause()
			.hasMessageContaining("the id of a key must consist of 1 to 32 letters")
			.hasMessageNotContaining(OLD);
	}

	private static void assertUnknown(HttpResponse<byte[]> response) {
		TestServer.assertRefused(response, 409, "token-unknown");
	}

	private static HttpResponse<byte[]> order(Mode mode, String path, String body, String token) {
		TestServer server = servers.get(mode);
		return server.send(server.post(path, body).header("Idempotent-Token", token));
	}

	private static Map<String, Integer> ranDuring(Runnable call) {
		try (RedisMonitor monitor = RedisMonitor.of(redis)) {
			call.run();
			return monitor.commands();
		}
	}

	/**
	 * How the servers differ.
	 */
	enum Mode {

		STORED("idempotent.operations[Orders.shortRetention].retention=30s"),

		SIGNED("idempotent.token.signing.active-key=k1", "idempotent.token.signing.keys.k1=" + OLD,
				"idempotent.token.signing.keys.k2=" + NEW,
				"idempotent.operations[Orders.shortRetention].retention=30s"),

		ROTATED("idempotent.token.signing.active-key=k2", "idempotent.token.signing.keys.k1=" + OLD,
				"idempotent.token.signing.keys.k2=" + NEW),

		NEW_ONLY("idempotent.token.signing.active-key=k2", "idempotent.token.signing.keys.k2=" + NEW),

		STORED_SHORT("idempotent.token.time-to-live=2s"),

		SIGNED_SHORT("idempotent.token.signing.active-key=k1", "idempotent.token.signing.keys.k1=" + OLD,
				"idempotent.token.time-to-live=2s");

		private final String properties;

		Mode(String... properties) {
			this.properties = String.join("\n", properties);
		}

	}

	@Nested
	class ByThemselves {

		private static final List<String> ANN = List.of("=ann", "-", "-");

		private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

		private final IdempotencyGate gate = new IdempotencyGate.Builder(new LocalIdempotencyStore(100_000)).build();

		@AfterEach
		void close() {
			this.gate.close();
		}

		@Test
		void aSignedTokenIsOpenUntilItExpires() {
			TokenService tokens = signed("app", NOON);
			String token = tokens.issue(ANN, TokenService.ANY_OPERATION, tokens.timeToLive());
			assertThat(signed("app", NOON.plusSeconds(60)).recognise(token, ANN, "pay")).satisfies((known) -> {
				assertThat(known.admission()).isEqualTo(Admission.OPEN);
				assertThat(known.life()).isGreaterThan(Duration.ofMinutes(4));
			});
			TokenService.Token expired = signed("app", NOON.plusSeconds(301)).recognise(token, ANN, "pay");
			assertThat(expired.admission()).isEqualTo(Admission.ISSUED);
			assertThat(expired.life()).isZero();
			assertThat(tokens.recognise(token, ANN, "pay").key()).isEqualTo(expired.key());
		}

		@Test
		void aSignedTokenCoversItsExpiryAndEveryCharacter() {
			TokenService tokens = signed("app", NOON);
			String token = tokens.issue(ANN, "pay", tokens.timeToLive());
			for (int i = 0; i < token.length(); i++) {
				char other = (token.charAt(i) == 'A') ? 'B' : 'A';
				assertThat(tokens.recognise(token.substring(0, i) + other + token.substring(i + 1), ANN, "pay"))
					.isNull();
			}
			assertThat(tokens.recognise(token.substring(0, token.length() - 1), ANN, "pay")).isNull();
			assertThat(tokens.recognise(token + "A", ANN, "pay")).isNull();
			assertThat(tokens.recognise(token.substring(3), ANN, "pay")).isNull();
		}

		@Test
		void aSignedTokenCoversCallerOperationNamespaceAndKey() {
			TokenService tokens = signed("app", NOON);
			String token = tokens.issue(ANN, "pay", tokens.timeToLive());
			assertThat(tokens.recognise(token, ANN, "pay")).isNotNull();
			assertThat(tokens.recognise(token, ANN, "refund")).isNull();
			assertThat(tokens.recognise(token, List.of("=bob", "-", "-"), "pay")).isNull();
			assertThat(tokens.recognise(token, List.of("-", "=ann", "-"), "pay")).isNull();
			assertThat(tokens.recognise("k2" + token.substring(2), ANN, "pay")).isNull();
			assertThat(tokens.recognise("k9" + token.substring(2), ANN, "pay")).isNull();
			assertThat(signed("other", NOON).recognise(token, ANN, "pay")).isNull();
		}

		@Test
		void useOfAStoredTokenIsRememberedForItsLife() {
			String token = stored(NOON).issue(ANN, "pay", Duration.ofDays(7));
			assertThat(stored(NOON.plus(Duration.ofDays(1))).recognise(token, ANN, "pay")).satisfies((known) -> {
				assertThat(known.admission()).isEqualTo(Admission.ISSUED);
				assertThat(known.life()).isEqualTo(Duration.ofDays(6).plusMinutes(5));
			});
			TokenService later = stored(NOON.plus(Duration.ofDays(8)));
			assertThat(later.recognise(token, ANN, "pay").life()).isZero();
			String endless = later.issue(ANN, "pay", Duration.ofDays(1_000_000));
			assertThat(later.recognise(endless, ANN, "pay").life()).isGreaterThan(Duration.ofDays(70 * 365));
		}

		@Test
		void keyOfAStoredTokenCoversItsExpiry() {
			TokenService tokens = stored(NOON);
			String token = tokens.issue(ANN, "pay", tokens.timeToLive());
			byte[] bytes = Base64.getUrlDecoder().decode(token.substring(1));
			bytes[16] ^= 1;
			String changed = "o" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
			assertThat(tokens.recognise(changed, ANN, "pay").key())
				.isNotEqualTo(tokens.recognise(token, ANN, "pay").key());
		}

		@Test
		void aTokenHolds128RandomBits() {
			TokenService stored = stored(NOON);
			assertRandom(() -> Base64.getUrlDecoder().decode(stored.issue(ANN, "", stored.timeToLive()).substring(1)));
			TokenService signed = signed("app", NOON);
			assertRandom(
					() -> Base64.getUrlDecoder().decode(signed.issue(ANN, "", signed.timeToLive()).substring(4, 31)));
		}

		private static void assertRandom(Supplier<byte[]> mint) {
			int count = 4_000;
			Set<String> seen = new HashSet<>();
			int[] ones = new int[128];
			for (int i = 0; i < count; i++) {
				byte[] token = mint.get();
				assertThat(token.length).isGreaterThanOrEqualTo(16);
				seen.add(Base64.getEncoder().encodeToString(token));
				for (int bit = 0; bit < ones.length; bit++) {
					ones[bit] += (token[bit / 8] >> (bit % 8)) & 1;
				}
			}
			assertThat(seen).hasSize(count);
			List<Integer> each = new ArrayList<>();
			for (int one : ones) {
				each.add(one);
			}
			// Eight standard deviations around the half.
			assertThat(each).allSatisfy((one) -> assertThat(one).isBetween(count / 2 - 253, count / 2 + 253));
		}

		private TokenService signed(String namespace, Instant now) {
			return new TokenService(this.gate, new TokenSigner(namespace, "k1", Map.of("k1", OLD, "k2", NEW)),
					namespace, Duration.ofMinutes(5), at(now));
		}

		private TokenService stored(Instant now) {
			return new TokenService(this.gate, null, "app", Duration.ofMinutes(10), at(now));
		}

		private static Clock at(Instant now) {
			return Clock.fixed(now, ZoneOffset.UTC);
		}

	}

	record Order(String sku) {
	}

	@RestController
	static class Orders {

		static final AtomicInteger made = new AtomicInteger();

		@ApiIdempotent
		@PostMapping("/orders")
		ResponseEntity<String> create(@RequestBody Order order) {
			return order.sku().isEmpty() ? ResponseEntity.unprocessableContent().body("which?")
					: ResponseEntity.ok("order " + made.incrementAndGet());
		}

		@ApiIdempotent
		@PostMapping("/refusing")
		ResponseEntity<String> refuse(@RequestBody Order order) {
			return ResponseEntity.badRequest().body("never");
		}

		@ApiIdempotent
		@PostMapping("/retained")
		String retain(@RequestBody Order order, IdempotencyContext context) {
			context.retainFor(Duration.ofSeconds(1));
			return "order " + made.incrementAndGet();
		}

		@ApiIdempotent
		@PostMapping("/short-retention")
		String shortRetention(@RequestBody Order order) {
			return "order " + made.incrementAndGet();
		}

	}

}
