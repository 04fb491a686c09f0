package io.idempotent.webmvc;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where settings, the handler and the next hop decide whether a repeat gets the first
 * response. That it is the same response is the contract of tests/http.
 */
class ReplayTests {

	// Every repeat is answered by the store itself.
	@RegisterExtension
	static final TestServer server = TestServer.of(Answers.class, "idempotent.store.near-cache.enabled=false",
			"idempotent.web.max-response-body=1KB");

	@Test
	void carriesNoHeaderThatIsForTheNextHop() {
		Submissions twice = submitTwice("/next-hop");
		assertThat(twice.first().headers().firstValue("X-Hop")).isPresent();
		assertThat(TestServer.isReplayed(twice.second())).isTrue();
		assertThat(twice.second().headers().firstValue("X-Hop")).isEmpty();
	}

	@Test
	void ofAnAnswerAtTheLimitIsComplete() {
		Submissions twice = submitTwice("/bound/1024");
		assertThat(twice.second().body()).hasSize(1024).isEqualTo(twice.first().body());
	}

	@Test
	void ofAnAnswerOverTheLimitIsATombstone() {
		Submissions twice = submitTwice("/bound/1025");
		assertThat(twice.first().body()).hasSize(1025);
		assertThat(TestServer.code(twice.second())).isEqualTo("response-unavailable");
		assertThat(twice.runs()).isOne();
	}

	@Test
	void isRefusedIfTheHandlerForbadeStoringTheAnswer() {
		Submissions twice = submitTwice("/secret");
		assertThat(twice.first().statusCode()).isEqualTo(200);
		assertThat(TestServer.code(twice.second())).isEqualTo("response-unavailable");
		assertThat(twice.runs()).isOne();
	}

	@Test
	void doesNotHappenWhereTheOperationRejectsDuplicates() {
		for (String path : new String[] { "/rejects", "/burns" }) {
			Submissions twice = submitTwice(path);
			assertThat(twice.second().statusCode()).isEqualTo(409);
			assertThat(TestServer.code(twice.second())).isEqualTo("duplicate");
			assertThat(twice.runs()).isOne();
		}
	}

	@Test
	void aBurntKeyIsReleasedWhenTheOperationFailed() {
		Submissions twice = submitTwice("/burns-and-fails");
		assertThat(twice.first().statusCode()).isEqualTo(400);
		assertThat(twice.second().statusCode()).isEqualTo(400);
		assertThat(twice.runs()).isEqualTo(2);
	}

	@Test
	void theDownstreamKeyIsTheSameAfterARerun() {
		Submissions twice = submitTwice("/derived");
		assertThat(twice.runs()).isEqualTo(2);
		assertThat(TestServer.text(twice.first())).hasSize(43).isEqualTo(TestServer.text(twice.second()));
	}

	private static Submissions submitTwice(String path) {
		String key = UUID.randomUUID().toString();
		int before = Answers.runs.get();
		HttpResponse<byte[]> first = submit(path, key);
		HttpResponse<byte[]> second = submit(path, key);
		return new Submissions(first, second, Answers.runs.get() - before);
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		return server.send(server.request(path).header("Idempotency-Key", key).POST(BodyPublishers.ofString("x")));
	}

	private record Submissions(HttpResponse<byte[]> first, HttpResponse<byte[]> second, int runs) {
	}

	@RestController
	static class Answers {

		static final AtomicInteger runs = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/next-hop")
		ResponseEntity<String> nextHop() {
			return ResponseEntity.ok().header("Connection", "X-Hop").header("X-Hop", "hop").body("done");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/bound/{size}")
		ResponseEntity<byte[]> bound(@PathVariable("size") int size) {
			runs.incrementAndGet();
			return ResponseEntity.ok(new byte[size]);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/secret")
		ResponseEntity<String> secret(IdempotencyContext context) {
			runs.incrementAndGet();
			context.doNotStoreAnswer();
			return ResponseEntity.ok("secret");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT)
		@PostMapping("/rejects")
		ResponseEntity<String> rejects() {
			runs.incrementAndGet();
			return ResponseEntity.ok("done");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns")
		ResponseEntity<String> burns() {
			runs.incrementAndGet();
			return ResponseEntity.ok("done");
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
		@PostMapping("/burns-and-fails")
		ResponseEntity<String> burnsAndFails() {
			runs.incrementAndGet();
			return ResponseEntity.badRequest().body("no");
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/derived")
		ResponseEntity<String> derived(IdempotencyContext context) {
			runs.incrementAndGet();
			assertThat(context.isReplay()).isFalse();
			assertThat(context.operation()).isEqualTo("Answers.derived");
			assertThat(context.key()).isNotEqualTo(context.derivedKey("charge"));
			// 4xx gives the key back, so that the operation runs again.
			return ResponseEntity.badRequest().body(context.derivedKey("charge"));
		}

	}

}
