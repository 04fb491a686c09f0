package io.idempotent.http;

import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Where an idempotent handler answers otherwise than its twin, because the promise says
 * so.
 */
abstract class PromiseContract extends PairContract {

	private final String key = "Idempotency-Key: " + UUID.randomUUID();

	@ParameterizedTest
	@ValueSource(strings = { "lost-database", "reset-database", "lost-database-later", "broken-after-flush" })
	void failedRunIsNoSuccess(String path) {
		Request request = Request.post("/promises/" + path).header(this.key);
		assertThat(send(this.pair.without(), request).code()).isEqualTo(200);
		assertThat(send(this.pair.with(), request).code()).isEqualTo(500);
		int before = this.pair.with().runs();
		assertThat(send(this.pair.with(), request).code()).isEqualTo(500);
		assertThat(this.pair.with().runs()).isEqualTo(before + 1);
	}

	@Test
	void doesNotReplayARangeToAnotherRange() {
		Request request = Request.get("/files/bytes").header(this.key);
		assertThat(send(this.pair.with(), request.header("Range: bytes=0-9")).body()).isEqualTo("0123456789");
		assertThat(send(this.pair.with(), request.header("Range: bytes=10-19")).code()).isEqualTo(409);
		assertThat(send(this.pair.with(), request).code()).isEqualTo(409);
	}

	@Test
	void replaysTheFullResponseToARangeRequest() {
		Request request = Request.get("/files/bytes").header(this.key + "2");
		assertThat(send(this.pair.with(), request).body()).hasSize(36);
		RawResponse repeat = send(this.pair.with(), request.header("Range: bytes=0-9"));
		assertThat(repeat.code()).isEqualTo(200);
		assertThat(repeat.body()).hasSize(36);
	}

	@Test
	void replaysACompressedResponseToAClientWithoutCompression() {
		Request request = Request.post("/filtered/long-text").header(this.key + "packed");
		assertThat(send(this.pair.with(), request.header("Accept-Encoding: gzip")).has("Content-Encoding")).isTrue();
		RawResponse plain = send(this.pair.with(), request);
		assertThat(plain.isReplayed()).isTrue();
		assertThat(plain.has("Content-Encoding")).isFalse();
		assertThat(plain.body()).startsWith("seven seven");
	}

	@Test
	void doesNotReplayAConditionalResponse() {
		Request request = Request.get("/entities/tagged").header(this.key);
		assertThat(send(this.pair.with(), request.header("If-None-Match: \"v1\"")).code()).isEqualTo(304);
		assertThat(send(this.pair.with(), request).code()).isEqualTo(409);
	}

	@Test
	void replayContainsNoSessionId() {
		Request request = Request.post("/headers/session-in-address").header(this.key);
		RawResponse first = send(this.pair.with(), request);
		assertThat(first.byName().get("location")).contains(";jsessionid=");
		assertThat(first.has("Set-Cookie")).isTrue();
		RawResponse repeat = send(this.pair.with(), request);
		assertThat(repeat.isReplayed()).isTrue();
		assertThat(repeat.byName().get("location")).doesNotContain("jsessionid").endsWith("/orders/7");
		assertThat(repeat.byName().get("x-next")).doesNotContain("jsessionid").contains("/next?a=b");
		assertThat(repeat.has("Set-Cookie")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "session-in-type", "session-in-boundary", "session-in-name", "session-in-message",
			"session-in-value", "session-in-body", "session-encoded/UTF-16", "session-encoded/UTF-16LE",
			"session-encoded/UTF-32", "session-encoded/gzip" })
	void doesNotReplayASessionId(String path) {
		Request request = Request.post("/promises/" + path).header(this.key);
		RawResponse first = send(this.pair.with(), request);
		assertThat(first.code()).isLessThan(300);
		assertThat(first.has("Set-Cookie")).isTrue();
		int before = this.pair.with().runs();
		RawResponse repeat = send(this.pair.with(), request);
		assertThat(repeat.code()).isEqualTo(409);
		assertThat(repeat.body()).contains("response-unavailable");
		assertThat(this.pair.with().runs()).isEqualTo(before);
	}

	/**
	 * Who calls must not be able to turn an effect into none by a header.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "bytes=100-200", "lines=1-2" })
	void unsatisfiableRangeDoesNotReleaseTheKey(String range) {
		Request request = Request.post("/files/download").header(this.key + range.length());
		int before = this.pair.with().runs();
		assertThat(send(this.pair.with(), request.header("Range: " + range)).code()).isEqualTo(416);
		assertThat(send(this.pair.with(), request.header("Range: " + range)).code()).isEqualTo(409);
		assertThat(send(this.pair.with(), request).code()).isEqualTo(409);
		assertThat(this.pair.with().runs()).isEqualTo(before + 1);
	}

	@Test
	void contextThatRefusesListenersLeavesNoClaim() {
		Request request = Request.post("/own-contexts/AT_ONCE").header(this.key + "unheard");
		assertThat(send(this.pair.with(), request.header("X-Unheard: yes")).code()).isIn(201, 500);
		await().until(() -> send(this.pair.with(), request).body(), (body) -> body.contains("response-unavailable"));
	}

	@Test
	void truncatedMultipartIsNoSuccess() {
		Request request = Request.post("/requests/parts")
			.header(this.key + "parts")
			.body("multipart/form-data; boundary=next", "--next\r\nContent-Disposition: form-data");
		assertThat(send(this.pair.with(), request).code()).isGreaterThanOrEqualTo(400);
	}

	@Test
	void parametersOfTheFirstQueryCountAfterAForward() {
		Request one = Request.post("/next/forward?amount=1").header(this.key + "forward");
		assertThat(send(this.pair.with(), one).body()).isEqualTo("1");
		assertThat(send(this.pair.with(), one).isReplayed()).isTrue();
		Request other = Request.post("/next/forward?amount=2").header(this.key + "forward");
		assertThat(send(this.pair.with(), other).code()).isEqualTo(422);
	}

	@Test
	void parametersOfAFilterCount() {
		Request request = Request.post("/promises/forwarded").header(this.key + "filter");
		assertThat(send(this.pair.with(), request.header("X-Amount: 1")).body()).isEqualTo("1");
		assertThat(send(this.pair.with(), request.header("X-Amount: 1")).isReplayed()).isTrue();
		assertThat(send(this.pair.with(), request.header("X-Amount: 2")).code()).isEqualTo(422);
	}

	@Test
	void includedOperationRunsOnce() {
		Request request = Request.post("/next/include").header(this.key + "include");
		int before = this.pair.with().runs();
		assertThat(send(this.pair.with(), request).body()).isEqualTo("seven");
		assertThat(send(this.pair.with(), request).body()).isEqualTo("seven");
		assertThat(this.pair.with().runs()).isEqualTo(before + 1);
	}

	@Test
	void operationThatRunsOnWhenAFilterFailsIsNotRunAgain() {
		Request request = Request.post("/promises/runs-on").header(this.key + "runs-on");
		int before = this.pair.with().runs();
		assertThat(send(this.pair.with(), request).code()).isEqualTo(500);
		assertThat(send(this.pair.with(), request).code()).isEqualTo(409);
		assertThat(send(this.pair.with(), request).code()).isEqualTo(409);
		assertThat(this.pair.with().runs()).isEqualTo(before + 1);
	}

	private static RawResponse send(Server server, Request request) {
		return RawClient.send(server.port(), request);
	}

}
