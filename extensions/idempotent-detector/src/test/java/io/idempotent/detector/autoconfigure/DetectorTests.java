package io.idempotent.detector.autoconfigure;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisTalk;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.DelegatingServletInputStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two nodes on Tomcat share a Redis, and detect what would have run twice.
 */
class DetectorTests {

	private static final String ORDER = "{\"tea\": \"sencha\"}";

	private static EmbeddedRedis redis;

	private static DetectorNode one;

	private static DetectorNode other;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		one = DetectorNode.start(redis, "idempotent.web.key-required=false");
		other = DetectorNode.start(redis);
	}

	@AfterAll
	static void stop() {
		one.close();
		other.close();
		redis.close();
	}

	@Test
	void aRepeatOnAnotherNodeIsCountedOnce() {
		assertThat(one.post("/nodes", ORDER)).isEqualTo(ORDER);
		one.awaitCounts("/nodes", 1, 0, 0);
		assertThat(other.post("/nodes", ORDER)).isEqualTo(ORDER);
		other.awaitCounts("/nodes", 1, 1, 0);
		one.awaitCounts("/nodes", 1, 0, 0);
		assertThat(other.endpoint("POST", "/nodes").lastRepeat()).isNotNull();
	}

	@Test
	void otherCallersRepeatNothing() {
		one.post("/callers", ORDER);
		one.send(one.json("/callers", ORDER).header("X-User", "alice"));
		one.send(one.json("/callers", ORDER).header("X-User", "bob"));
		one.awaitCounts("/callers", 3, 0, 0);
		one.send(one.json("/callers", ORDER).header("X-User", "bob"));
		one.awaitCounts("/callers", 4, 1, 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "broken", " " })
	void anUnknownCallerIsServedAndNotJudged(String caller) {
		long before = one.endpoint("PATCH", "/patched").unjudged();
		one.send(one.request("/patched").header("X-User", caller).method("PATCH", BodyPublishers.noBody()));
		Awaitility.await().until(() -> one.endpoint("PATCH", "/patched").unjudged() == before + 1);
	}

	@Test
	void otherContentPathsAndQueriesRepeatNothing() {
		one.post("/content", ORDER);
		one.post("/content", ORDER + " ");
		one.post("/content?express", ORDER);
		one.awaitCounts("/content", 3, 0, 0);
		one.send(one.json("/customers/1", ORDER));
		one.send(one.json("/customers/2", ORDER));
		one.awaitCounts("/customers/{id}", 2, 0, 0);
	}

	@Test
	void aKeyThatNobodyReadsStillDistinguishesRequests() {
		one.send(one.json("/keys", ORDER).header("Idempotency-Key", "1"));
		one.send(one.json("/keys", ORDER).header("Idempotency-Key", "2"));
		one.send(one.json("/keys", ORDER).header("Idempotency-Key", "2"));
		one.awaitCounts("/keys", 3, 1, 0);
	}

	@Test
	void afterTheWindowARequestIsTheFirstOneAgain() {
		try (EmbeddedRedis own = EmbeddedRedis.start();
				DetectorNode node = DetectorNode.start(own, "idempotent.detector.window=1s");
				RedisMonitor monitor = RedisMonitor.of(own)) {
			node.post("/window", ORDER);
			node.awaitCounts("/window", 1, 0, 0);
			Awaitility.await().until(() -> monitor.ask("DBSIZE") == 0);
			node.post("/window", ORDER);
			node.awaitCounts("/window", 2, 0, 0);
		}
	}

	@Test
	void eachRequestCostsOneCommand() {
		one.post("/cost", "warm");
		one.awaitCounts("/cost", 1, 0, 0);
		try (RedisMonitor monitor = RedisMonitor.of(redis)) {
			one.post("/cost", ORDER);
			one.awaitCounts("/cost", 2, 0, 0);
			assertThat(monitor.commands()).isEqualTo(Map.of("set", 1));
			one.post("/cost", ORDER);
			one.awaitCounts("/cost", 3, 1, 0);
			assertThat(monitor.commands()).isEqualTo(Map.of("set", 1));
		}
	}

	@Test
	void whatHttpDefinesAsIdempotentIsNotWatched() {
		try (RedisMonitor monitor = RedisMonitor.of(redis)) {
			for (String method : new String[] { "GET", "PUT", "DELETE" }) {
				one.send(one.request("/safe").method(method, BodyPublishers.noBody()));
			}
			one.send(one.request("/any"));
			assertThat(monitor.commands()).isEmpty();
		}
		assertThat(one.endpoints()).noneMatch((endpoint) -> endpoint.uri().equals("/safe"));
		one.awaitCounts("/any", 0, 0, 0);
	}

	@Test
	void theSampleContainsAllCopiesOfARequestOrNone() {
		int number = 100;
		try (DetectorNode node = DetectorNode.start(redis, "idempotent.detector.sampling=0.5")) {
			for (int i = 0; i < number; i++) {
				String order = UUID.randomUUID().toString();
				node.post("/sampled", order);
				node.post("/sampled", order);
			}
			Awaitility.await().until(() -> node.endpoint("POST", "/sampled").requests() > 0);
			Awaitility.await().untilAsserted(() -> {
				var counts = node.endpoint("POST", "/sampled");
				assertThat(counts.requests()).isLessThan(2L * number).isEqualTo(2 * counts.repeated());
			});
		}
	}

	@Test
	void aSampleOfNothingAsksNothing() {
		try (DetectorNode node = DetectorNode.start(redis, "idempotent.detector.sampling=0");
				RedisMonitor monitor = RedisMonitor.of(redis)) {
			node.post("/sampled", ORDER);
			node.post("/sampled", ORDER);
			assertThat(monitor.commands()).doesNotContainKey("set");
			assertThat(node.endpoint("POST", "/sampled").requests()).isZero();
		}
	}

	@Test
	void requestsAreServedWhileTheStoreIsAway() {
		try (EmbeddedRedis own = EmbeddedRedis.start(); DetectorNode node = DetectorNode.start(own)) {
			node.post("/down", ORDER);
			node.awaitCounts("/down", 1, 0, 0);
			own.stop();
			assertThat(node.post("/down", ORDER)).isEqualTo(ORDER);
			node.awaitCounts("/down", 1, 0, 1);
			assertThat(node.post("/down", ORDER)).isEqualTo(ORDER);
			node.awaitCounts("/down", 1, 0, 2);
			own.restart();
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
				node.post("/down", ORDER);
				return node.endpoint("POST", "/down").requests() > 1;
			});
		}
	}

	@Test
	void whatWaitedForTheStoreIsNotJudgedByWhenTheStoreWasAsked() {
		try (EmbeddedRedis own = EmbeddedRedis.start();
				DetectorNode node = DetectorNode.start(WatchedApplication.class, "spring.data.redis.host=" + own.host(),
						"spring.data.redis.port=" + own.port(), "spring.data.redis.timeout=20s",
						"idempotent.store.redis.timeout=20s")) {
			node.post("/down", "warm");
			node.awaitCounts("/down", 1, 0, 0);
			RedisTalk.tell(own, "CLIENT PAUSE 5000");
			for (int i = 0; i < 3; i++) {
				node.post("/down", ORDER);
			}
			node.awaitCounts("/down", 2, 0, 2);
			node.post("/down", ORDER);
			node.awaitCounts("/down", 3, 1, 2);
		}
	}

	@Test
	void aBodyBeyondTheLimitIsServedAndNotJudged() {
		String large = "x".repeat(1024 * 1024 + 1);
		assertThat(one.post("/large", large)).isEqualTo(large);
		one.awaitCounts("/large", 0, 0, 1);
		String largest = large.substring(1);
		assertThat(one.post("/large", largest)).isEqualTo(largest);
		one.awaitCounts("/large", 1, 0, 1);
	}

	@Test
	void formsAreComparedByTheirFields() {
		one.send(form("tea=sencha&tea=oolong&_csrf=1"));
		one.send(form("tea=sencha%2Coolong&_csrf=1"));
		one.awaitCounts("/form", 2, 0, 0);
		assertThat(one.send(form("_csrf=2&tea=sencha&tea=oolong"))).isEqualTo("sencha,oolong");
		one.awaitCounts("/form", 3, 1, 0);
	}

	private static HttpRequest.Builder form(String fields) {
		return one.request("/form")
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(fields));
	}

	@Test
	void partsAreComparedWithoutTheirBoundary() {
		one.send(upload("/upload", "a", "sencha"));
		one.send(upload("/upload", "b", "oolong"));
		one.awaitCounts("/upload", 2, 0, 0);
		assertThat(one.send(upload("/upload", "c", "sencha"))).isEqualTo("Idasencha");
		one.awaitCounts("/upload", 3, 1, 0);
		one.send(upload("/upload", "d", "x".repeat(1024 * 1024)));
		one.awaitCounts("/upload", 3, 1, 1);
	}

	private static HttpRequest.Builder upload(String path, String boundary, String content) {
		String part = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n%s\r\n";
		return one.request(path)
			.header("Content-Type", "multipart/form-data; boundary=" + boundary)
			.POST(BodyPublishers.ofString(part.formatted("name", "", "Ida")
					+ part.formatted("file", "; filename=\"tea.txt\"", content) + "--" + boundary + "--\r\n"));
	}

	@Test
	void theBodyOfAnOperationIsReadAsWithoutTheDetector() {
		assertThat(one.exchange(chunks("/annotated", "sencha")).body()).isEqualTo("sencha");
		// Refused by Spring MVC, since a body is required, and not as one that a filter
		// has read.
		assertThat(one.exchange(chunks("/annotated", "")).statusCode()).isEqualTo(400);
	}

	private static HttpRequest.Builder chunks(String path, String body) {
		return one.request(path)
			.header("Content-Type", "text/plain")
			.header("Idempotency-Key", "chunks" + body)
			.POST(BodyPublishers
				.ofInputStream(() -> new ByteArrayInputStream(body.getBytes(StandardCharsets.US_ASCII))));
	}

	@Test
	void anAsynchronousResponseIsJudgedWhenItIsThere() {
		one.post("/later", ORDER);
		assertThat(one.post("/later", ORDER)).isEqualTo(ORDER);
		one.awaitCounts("/later", 2, 1, 0);
	}

	@Test
	void aFailureHasNoEffectToRepeat() {
		assertThat(one.exchange(one.json("/failing", "422")).statusCode()).isEqualTo(422);
		assertThat(one.exchange(one.json("/failing", "503")).statusCode()).isEqualTo(503);
		assertThat(one.exchange(one.json("/broken", ORDER)).statusCode()).isEqualTo(500);
		one.post("/shapes", ORDER);
		one.awaitCounts("/shapes", 1, 0, 0);
		one.awaitCounts("/failing", 0, 0, 0);
		one.awaitCounts("/broken", 0, 0, 0);
	}

	@Test
	void anOperationIsWatchedOnlyWithoutItsOptionalKey() {
		one.send(one.json("/annotated", ORDER).header("Idempotency-Key", "1"));
		one.send(one.json("/annotated", ORDER).header("Idempotency-Key", "1"));
		one.send(one.json("/annotated", ORDER));
		one.send(one.json("/annotated", ORDER));
		one.awaitCounts("/annotated", 2, 1, 0);
		assertThat(one.endpoint("POST", "/annotated").idempotent()).isTrue();
	}

	@Test
	void aFilterThatServesACopyOfTheBodyChangesNothing() {
		try (DetectorNode node = DetectorNode.start(CopyingApplication.class, "spring.data.redis.host=" + redis.host(),
				"spring.data.redis.port=" + redis.port())) {
			node.post("/copied", "a");
			node.post("/copied", "b");
			assertThat(node.post("/copied", "a")).isEqualTo("a");
			node.awaitCounts("/copied", 3, 1, 0);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(WatchedApplication.class)
	static class CopyingApplication {

		/** Reads each body before anybody else. */
		@Bean
		Filter copyingFilter() {
			return (request, response, chain) -> {
				byte[] body = request.getInputStream().readAllBytes();
				chain.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {

					@Override
					public ServletInputStream getInputStream() {
						return new DelegatingServletInputStream(new ByteArrayInputStream(body));
					}

				}, response);
			};
		}

	}

}
