package io.idempotent.webmvc;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.webmvc.GeneratedRequest.Route;
import io.idempotent.webmvc.GeneratedRequest.Spelling;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Generated requests over a real container: however one of them is spelled, it is one
 * operation, and another request is another one. More of them, and those of a failure
 * again, by {@code -Didempotent.spellings=10000} and {@code -Didempotent.seed=42}.
 */
@Tag("slow")
class SpellingTests {

	private static final int ROUNDS = Integer.getInteger("idempotent.spellings", 40);

	private static final String CONTEXT = "/shop";

	@RegisterExtension
	static final TestServer server = TestServer.of(Places.class, "server.servlet.context-path=" + CONTEXT,
			"server.forward-headers-strategy=framework", "idempotent.store.near-cache.enabled=false");

	@ParameterizedTest
	@EnumSource
	void equivalentPathsAreOneOperation(Route route) throws IOException {
		long seed = Long.getLong("idempotent.seed", new Random().nextLong());
		System.out.println("SpellingTests " + route + ": -Didempotent.seed=" + seed);
		Random random = new Random(seed);
		for (int round = 0; round < ROUNDS; round++) {
			GeneratedRequest request = GeneratedRequest.any(random, route, route.takesToken() ? token() : "");
			int before = Places.effects.get();
			Spelling first = request.spell(CONTEXT, random);
			String answer = send(first);
			Spelling second = request.spell(CONTEXT, random);
			String repeat = send(second);
			String where = "seed " + seed + ", round " + round + ":\n" + first + "\n\n" + second + "\n\n";
			assertThat(RawHttp.status(answer)).as(where + answer).isEqualTo(200);
			assertThat(repeat).as(where).contains("\r\nIdempotency-Replayed: true").endsWith(body(answer));
			assertThat(Places.effects).as(where).hasValue(before + 1);

			Spelling other = request.mutate(random).spell(CONTEXT, random);
			String others = send(other);
			assertThat(others).as(where + other).doesNotContain("Idempotency-Replayed").doesNotEndWith(body(answer));
			assertThat(RawHttp.status(others)).as(where + other + "\n\n" + others).isIn(200, 422);
		}
	}

	private static String token() {
		return TestServer.text(server.send(server.request(CONTEXT + "/token").header("Accept", "text/plain")));
	}

	private static String send(Spelling spelling) throws IOException {
		try (RawHttp client = RawHttp.connect(server)) {
			return client.head(spelling.line(), spelling.headers().toArray(String[]::new))
				.body(spelling.body())
				.answer();
		}
	}

	private static String body(String answer) {
		return answer.substring(answer.indexOf("\r\n\r\n"));
	}

	@RestController
	static class Places {

		static final AtomicInteger effects = new AtomicInteger();

		@ApiIdempotent(key = "#coupon + ':' + #claim['user']")
		@PostMapping("/expression/{coupon}/{kind}/end")
		String byExpression(@PathVariable String coupon, @PathVariable String kind,
				@RequestBody Map<String, Object> claim) {
			return effect();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping({ "/header-json/{a}/{b}/end", "/header-form/{a}/{b}/end" })
		String byHeader() {
			return effect();
		}

		@ApiIdempotent
		@PostMapping({ "/token-json/{a}/{b}/end", "/token-form/{a}/{b}/end" })
		String byToken() {
			return effect();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping({ "/content-json/{a}/{b}/end", "/content-form/{a}/{b}/end" })
		String byContent() {
			return effect();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/wildcard-header/**")
		String byHeaderAnywhere() {
			return effect();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/wildcard-content/{*rest}")
		String byContentAnywhere() {
			return effect();
		}

		private static String effect() {
			return "effect number " + effects.incrementAndGet() + " of " + List.of("many");
		}

	}

}
