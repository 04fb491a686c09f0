package io.idempotent.webmvc;

import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.testing.RedisMonitor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each path costs, counted by the server.
 */
class RoundTripTests {

	@RegisterExtension
	static final TestServer plain = TestServer.of(Orders.class, "idempotent.store.near-cache.enabled=false");

	@RegisterExtension
	static final TestServer cached = TestServer.of(Orders.class);

	@RegisterExtension
	static final TestServer signed = TestServer.of(Orders.class, "idempotent.store.near-cache.enabled=false",
			"idempotent.token.signing.active-key=k1",
			"idempotent.token.signing.keys.k1=0123456789abcdef0123456789abcdef");

	@BeforeAll
	static void start() {
		// Scripts are loaded once in the life of a server, and each store looks once
		// whether SET returns values.
		cached.submit("/replay", "cached");
		signed.submit("/replay", "signed");
		plain.submit("/replay", "warm");
		cached.submit("/replay", "warm");
		plain.send(plain.post("/form", "{}").header("Idempotent-Token", plain.token()));
		plain.submit("/burn", "warm");
		plain.submit("/fails", "warm");
	}

	@Test
	void theFirstSubmissionOfATokenCostsTwo() {
		String token = plain.token();
		assertThat(commands(() -> plain.send(plain.post("/form", "{}").header("Idempotent-Token", token))))
			.isEqualTo(Map.of("evalsha", 2));
	}

	@Test
	void theFirstSubmissionOfASignedTokenCostsTwo() {
		String token = signed.token();
		assertThat(commands(() -> signed.send(signed.post("/form", "{}").header("Idempotent-Token", token))))
			.isEqualTo(Map.of("set", 1, "evalsha", 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/replay", "/fails" })
	void theFirstSubmissionCostsTwo(String path) {
		assertThat(commands(() -> plain.submit(path, TestServer.newKey()))).isEqualTo(Map.of("set", 1, "evalsha", 1));
	}

	@Test
	void theFirstSubmissionThatBurnsItsKeyCostsOne() {
		assertThat(commands(() -> plain.submit("/burn", TestServer.newKey()))).isEqualTo(Map.of("set", 1));
	}

	@Test
	void aDuplicateCostsOne() {
		String key = TestServer.newKey();
		plain.submit("/replay", key);
		assertThat(commands(() -> {
			assertThat(TestServer.isReplayed(plain.submit("/replay", key))).isTrue();
		})).isEqualTo(Map.of("set", 1));
	}

	@Test
	void aDuplicateCostsNoneFromTheNearCache() {
		String key = TestServer.newKey();
		cached.submit("/replay", key);
		assertThat(commands(() -> {
			assertThat(TestServer.isReplayed(cached.submit("/replay", key))).isTrue();
		})).isEmpty();
	}

	@Test
	void aDuplicateOnAnotherNodeCostsTwoAndThenNone() {
		String key = TestServer.newKey();
		plain.submit("/replay", key);
		assertThat(commands(() -> cached.submit("/replay", key))).isEqualTo(Map.of("set", 1, "evalsha", 1));
		assertThat(commands(() -> cached.submit("/replay", key))).isEmpty();
	}

	@Test
	void anEndpointWithoutTheAnnotationCostsNone() {
		assertThat(commands(() -> plain.submit("/plain", TestServer.newKey()))).isEmpty();
	}

	@Test
	void aRefusedKeyCostsNone() {
		assertThat(commands(() -> plain.submit("/replay", "a,b"))).isEmpty();
	}

	/**
	 * Counts what clients sent; what a script does inside is no round trip.
	 */
	private static Map<String, Integer> commands(Runnable work) {
		try (RedisMonitor monitor = RedisMonitor.of(plain.redis())) {
			work.run();
			return monitor.commands();
		}
	}

	@RestController
	static class Orders {

		@ApiIdempotent
		@PostMapping("/form")
		Map<String, Object> form(@RequestBody Map<String, Object> order) {
			return order;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/replay")
		Map<String, Object> replay(@RequestBody Map<String, Object> order) {
			return order;
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burn")
		Map<String, Object> burn(@RequestBody Map<String, Object> order) {
			return order;
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/fails")
		void fails() {
			throw new ResponseStatusException(HttpStatus.CONFLICT);
		}

		@PostMapping("/plain")
		Map<String, Object> plain(@RequestBody Map<String, Object> order) {
			return order;
		}

	}

}
