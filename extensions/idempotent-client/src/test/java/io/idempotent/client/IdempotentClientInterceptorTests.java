package io.idempotent.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

import javax.net.ssl.SSLHandshakeException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.util.StreamUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the interceptor sends, repeats and returns.
 */
class IdempotentClientInterceptorTests {

	private static final String IN_PROGRESS = """
			{"status":409,"code":"in-progress"}""";

	private final Peer peer = new Peer();

	private final MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.POST,
			URI.create("http://peer/charges"));

	private IdempotentClientSettings.Builder settings() {
		return IdempotentClientSettings.builder()
			.retryPolicy(RetryPolicy.builder().maxRetries(2).delay(Duration.ofMillis(1)).build());
	}

	private ClientHttpResponse call(IdempotentClientSettings.Builder settings) throws IOException {
		return new IdempotentClientInterceptor(settings.build()).intercept(this.request, new byte[0],
				(attempt, body) -> this.peer.answer(attempt.getHeaders()));
	}

	private ClientHttpResponse call() throws IOException {
		return call(settings());
	}

	private static String text(ClientHttpResponse response) throws IOException {
		return StreamUtils.copyToString(response.getBody(), StandardCharsets.UTF_8);
	}

	@Nested
	class Keys {

		@Test
		void oneKeyIsSentWithEachAttempt() throws IOException {
			peer.fails(new IOException("reset")).answers(503, "").answers(201, "");
			call();
			assertThat(keys()).hasSize(3);
			assertThat(Set.copyOf(keys())).hasSize(1).first().asString().hasSize(36);
		}

		@Test
		void twoCallsHaveTwoKeys() throws IOException {
			peer.answers(201, "").answers(201, "");
			call();
			call();
			assertThat(Set.copyOf(keys())).hasSize(2);
		}

		@Test
		void aKeyOfTheCallerIsKept() throws IOException {
			request.getHeaders().set("Idempotency-Key", "mine");
			peer.answers(503, "").answers(201, "");
			call();
			assertThat(keys()).containsExactly("mine", "mine");
		}

		@Test
		void theAcceptHeaderDefaultsToAnyMediaType() throws IOException {
			peer.answers(201, "").answers(201, "");
			call();
			request.getHeaders().set("Accept", "text/plain");
			call();
			assertThat(peer.received).extracting((headers) -> headers.getFirst("Accept"))
				.containsExactly("*/*", "text/plain");
		}

		@Test
		void generatedKeysCanBeQuotedUnderAnotherName() throws IOException {
			peer.answers(201, "");
			call(settings().keyHeader("X-Key").keyGenerator(() -> "\"a\""));
			assertThat(peer.received.get(0).getFirst("X-Key")).isEqualTo("\"a\"");
		}

		@Test
		void otherMethodsPassUnchanged() {
			MockClientHttpRequest put = new MockClientHttpRequest(HttpMethod.PUT, URI.create("http://peer/charges"));
			peer.fails(new IOException("reset"));
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> new IdempotentClientInterceptor(settings().build()).intercept(put, new byte[0],
						(attempt, body) -> peer.answer(attempt.getHeaders())));
			assertThat(peer.received).singleElement().matches((headers) -> !headers.containsHeader("Idempotency-Key"));
		}

		@Test
		void headersAddedToOneAttemptAreNotInTheNext() throws IOException {
			peer.answers(503, "").answers(201, "");
			new IdempotentClientInterceptor(settings().build()).intercept(request, new byte[0], (attempt, body) -> {
				attempt.getHeaders().add("X-Trace", "a");
				return peer.answer(attempt.getHeaders());
			});
			assertThat(peer.received).allSatisfy((headers) -> assertThat(headers.get("X-Trace")).containsExactly("a"));
		}

		private List<@Nullable String> keys() {
			return peer.received.stream().map((headers) -> headers.getFirst("Idempotency-Key")).toList();
		}

	}

	@Nested
	class Repeats {

		@Test
		void inProgressIsRepeated() throws IOException {
			peer.answers(409, IN_PROGRESS).answers(201, "done");
			assertThat(text(call())).isEqualTo("done");
			assertThat(peer.received).hasSize(2);
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', textBlock = """
				400 | {"code":"key-missing"}
				409 | {"code":"duplicate"}
				409 | {"code":"outcome-unknown","detail":"was \\"code\\":\\"in-progress\\""}
				409 |
				422 | {"code":"key-reused"}
				404 | {"code":"in-progress"}
				500 | {"code":"lock-lost"}
				""")
		void aDecisionOfThePeerIsNotRepeated(int status, @Nullable String body) throws IOException {
			peer.answers(status, (body != null) ? body : "");
			assertThat(call().getStatusCode().value()).isEqualTo(status);
			assertThat(peer.received).hasSize(1);
		}

		@Test
		void aReplayedErrorIsNotRepeated() throws IOException {
			peer.answers(503, "", "Idempotency-Replayed", "true");
			assertThat(call().getStatusCode().value()).isEqualTo(503);
			assertThat(peer.received).hasSize(1);
		}

		@Test
		void theLastResponseIsReturnedWithItsBody() throws IOException {
			peer.answers(503, "a").answers(503, "b").answers(503, "c");
			assertThat(text(call())).isEqualTo("c");
			assertThat(peer.open()).isZero();
		}

		@Test
		void theLastExceptionIsThrownWithTheEarlierOnes() {
			peer.fails(new IOException("first")).answers(503, "").fails(new HttpTimeoutException("last"));
			assertThatExceptionOfType(HttpTimeoutException.class).isThrownBy(() -> call())
				.withMessage("last")
				.satisfies((ex) -> assertThat(ex.getSuppressed()).extracting(Throwable::getMessage)
					.containsExactly("first", "status 503"));
		}

		@Test
		void theSameExceptionEachTimeIsThrown() {
			IOException reset = new IOException("reset");
			peer.fails(reset).fails(reset).fails(reset);
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> call()).isSameAs(reset);
		}

		@Test
		void anUntrustedPeerIsNotAskedAgain() {
			SSLHandshakeException untrusted = new SSLHandshakeException("path");
			untrusted.initCause(new CertificateException("path"));
			peer.fails(untrusted);
			assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> call());
		}

		@Test
		void nothingIsRepeatedOnAnInterruptedThread() {
			peer.fails(new IOException("reset"));
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> call());
			assertThat(Thread.interrupted()).isTrue();
		}

		@Test
		void anInterruptedWaitEndsWithTheLastResponse() throws IOException {
			Thread caller = Thread.currentThread();
			peer.answers(503, "", "Retry-After", "20");
			Thread other = new Thread(() -> {
				while (caller.getState() != Thread.State.TIMED_WAITING) {
					Thread.onSpinWait();
				}
				caller.interrupt();
			});
			other.start();
			assertThat(call().getStatusCode().value()).isEqualTo(503);
			assertThat(Thread.interrupted()).isTrue();
		}

		@Test
		void aRuntimeExceptionIsThrownAtOnce() {
			assertThatIllegalArgumentException().isThrownBy(() -> new IdempotentClientInterceptor(settings().build())
				.intercept(request, new byte[0], (attempt, body) -> {
					throw new IllegalArgumentException("no token");
				}));
		}

		@ParameterizedTest
		@ValueSource(ints = { 400, 409, 422, 200 })
		void statusesOfADecisionCannotBeSet(int status) {
			assertThatIllegalArgumentException().isThrownBy(() -> settings().retryStatuses(503, status))
				.withMessageContaining(String.valueOf(status));
		}

	}

	@Nested
	class Waits {

		@Test
		void retryAfterInSecondsIsHonoured() throws IOException {
			peer.answers(503, "", "Retry-After", "1").answers(201, "");
			Instant start = Instant.now();
			call();
			assertThat(Duration.between(start, Instant.now())).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
		}

		@Test
		void aDelayBeyondTheTimeOutEndsTheCall() throws IOException {
			peer.answers(503, "busy", "Retry-After", "3600");
			RetryPolicy policy = RetryPolicy.builder()
				.delay(Duration.ofMillis(1))
				.timeout(Duration.ofSeconds(9))
				.build();
			assertThat(text(call(settings().retryPolicy(policy)))).isEqualTo("busy");
		}

		@Test
		void aDateCountsFromTheDateOfTheResponse() {
			HttpHeaders headers = new HttpHeaders();
			headers.set("Date", "Sun, 22 Nov 2026 10:00:00 GMT");
			headers.set("Retry-After", "Sun, 22 Nov 2026 10:00:07 GMT");
			assertThat(retryAfter(headers)).isEqualTo(Duration.ofSeconds(7));
		}

		@Test
		void aDateWithoutDateCountsFromNow() {
			HttpHeaders headers = new HttpHeaders();
			headers.setZonedDateTime("Retry-After", Instant.now().plusSeconds(60).atZone(ZoneOffset.UTC));
			assertThat(retryAfter(headers)).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
		}

		@ParameterizedTest
		@CsvSource({ "0,0", "'',0", "soon,0", "-3,0", "7,7", "999999999999,86400",
				"'Sun, 22 Nov 2020 10:00:00 GMT',0" })
		void otherValuesOfRetryAfterAreIgnored(String value, long seconds) {
			HttpHeaders headers = new HttpHeaders();
			headers.set("Retry-After", value);
			assertThat(retryAfter(headers)).isEqualTo(Duration.ofSeconds(seconds));
		}

		private static Duration retryAfter(HttpHeaders headers) {
			return new RefusedAttemptException("", HttpStatus.SERVICE_UNAVAILABLE, headers).retryAfter();
		}

	}

	@Nested
	class Forgotten {

		private static final RetryPolicy SLOW = RetryPolicy.builder().delay(Duration.ofMinutes(1)).build();

		private final IdempotentClientInterceptor client = new IdempotentClientInterceptor(
				settings().retryPolicy(SLOW).build());

		private ClientHttpResponse call() throws IOException {
			return this.client.intercept(request, new byte[0], (attempt, body) -> peer.answer(attempt.getHeaders()));
		}

		@Test
		void noAttemptBeginsAfterTheAnnouncedTime() throws IOException {
			peer.answers(201, "", "Idempotency-TTL", "59").fails(new IOException("reset"));
			call();
			assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(this::call)
				.withMessageContaining("59 seconds")
				.withMessageContaining("reset")
				.havingCause()
				.withMessage("reset");
		}

		@Test
		void aRefusedAttemptIsNotRepeatedEither() throws IOException {
			peer.answers(201, "", "Idempotency-TTL", "59").answers(503, "busy");
			call();
			assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(this::call)
				.withMessageContaining("status 503");
			assertThat(peer.open()).isZero();
		}

		@Test
		void aResponseThatBreaksAnnouncesItsTime() {
			peer.breaks("hal", "Idempotency-TTL", "59");
			assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(this::call);
		}

		@ParameterizedTest
		@ValueSource(strings = { "Idempotency-Replayed", "Idempotent-Replayed" })
		void aReplayAnnouncesNothing(String header) throws IOException {
			HttpHeaders headers = new HttpHeaders();
			headers.set(header, "true");
			headers.set("Idempotency-TTL", "0");
			peer.answers(201, "", headers).fails(new IOException("reset")).answers(201, "");
			IdempotentClientInterceptor fast = new IdempotentClientInterceptor(settings().build());
			for (int i = 0; i < 2; i++) {
				fast.intercept(request, new byte[0], (attempt, body) -> peer.answer(attempt.getHeaders()));
			}
			assertThat(peer.received).hasSize(3);
		}

		@Test
		void theTimeOutOfThePolicyComesFirst() throws IOException {
			RetryPolicy policy = RetryPolicy.builder().timeout(Duration.ofSeconds(9)).build();
			IdempotentClientInterceptor limited = new IdempotentClientInterceptor(
					settings().retryPolicy(policy).build());
			peer.answers(201, "", "Idempotency-TTL", "59").answers(503, "busy", "Retry-After", "60");
			limited.intercept(request, new byte[0], (attempt, body) -> peer.answer(attempt.getHeaders()));
			assertThat(
					text(limited.intercept(request, new byte[0], (attempt, body) -> peer.answer(attempt.getHeaders()))))
				.isEqualTo("busy");
		}

		@Test
		void aWaitThatTookTooLongIsNotedBeforeTheAttempt() throws IOException {
			AnnouncedTimes times = new AnnouncedTimes();
			CallRetry retry = new CallRetry(settings().build(), times, HttpMethod.POST, request.getURI());
			retry.begins();
			HttpHeaders headers = new HttpHeaders();
			headers.set("Idempotency-TTL", "0");
			retry.responds(HttpStatus.CREATED, headers);
			assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(retry::begins)
				.satisfies((ex) -> assertThat(retry.shouldRetry(ex)).isFalse());
		}

	}

	@Nested
	class Bodies {

		@Test
		void aResponseThatBreaksIsRepeated() throws IOException {
			peer.breaks("hal").answers(201, "whole");
			assertThat(text(call())).isEqualTo("whole");
			assertThat(peer.open()).isZero();
		}

		@Test
		void aResponseThatIsTooShortIsRepeated() throws IOException {
			peer.answers(201, "hal", "Content-Length", "5").answers(201, "whole", "Content-Length", "5");
			assertThat(text(call())).isEqualTo("whole");
		}

		@Test
		void aDecodedResponseMayBeShorterThanItsLength() throws IOException {
			HttpHeaders headers = new HttpHeaders();
			headers.setContentLength(25);
			headers.set("Content-Encoding", "gzip");
			peer.answers(201, "a", headers);
			assertThat(text(call())).isEqualTo("a");
		}

		@ParameterizedTest
		@ValueSource(ints = { 0, 1, 4, 5, 6 })
		void aLargeResponsePassesWhole(int limit) throws IOException {
			peer.answers(201, "whole");
			ClientHttpResponse response = call(settings().maxBody(limit));
			assertThat(text(response)).isEqualTo("whole");
			response.close();
			assertThat(peer.open()).isZero();
		}

		@ParameterizedTest
		@CsvSource({ "Content-Type, json", "Content-Length, short" })
		void aMalformedHeaderIsLeftToTheCaller(String header, String value) throws IOException {
			peer.answers(201, "done", header, value);
			assertThat(text(call())).isEqualTo("done");
		}

		@Test
		void aStreamIsNotRead() throws IOException {
			peer.answers(200, "data: 1\n\n", "Content-Type", "text/event-stream");
			ClientHttpResponse response = call();
			assertThat(peer.open()).isOne();
			assertThat(text(response)).isEqualTo("data: 1\n\n");
		}

		@Test
		void refusalsWithLargeBodiesAreClosed() throws IOException {
			peer.answers(503, "large").answers(201, "");
			call(settings().maxBody(1));
			assertThat(peer.open()).isZero();
		}

	}

	@Test
	void replaysAreRecognizedByTheHeader() {
		HttpHeaders headers = new HttpHeaders();
		assertThat(IdempotentClientSettings.isReplay(headers)).isFalse();
		headers.set("Idempotency-Replayed", "false");
		assertThat(IdempotentClientSettings.isReplay(headers)).isFalse();
		for (String name : List.of("Idempotency-Replayed", "Idempotent-Replayed")) {
			HttpHeaders replay = new HttpHeaders();
			replay.set(name, "true");
			assertThat(IdempotentClientSettings.isReplay(replay)).as(name).isTrue();
		}
	}

	@Test
	void anotherPeerHasOtherNames() throws IOException {
		this.peer.answers(409, """
				{"error":{"code":"idempotency_key_in_use"}}""").answers(200, "", "Idempotent-Replayed", "true");
		ClientHttpResponse response = call(settings().inProgressCodes("idempotency_key_in_use"));
		assertThat(IdempotentClientSettings.isReplay(response.getHeaders())).isTrue();
		assertThat(this.peer.received).hasSize(2);
	}

	/**
	 * A peer with prepared answers.
	 */
	private static final class Peer {

		private final Deque<Object> answers = new ArrayDeque<>();

		private final List<HttpHeaders> received = new ArrayList<>();

		private final List<MockClientHttpResponse> sent = new ArrayList<>();

		private int closed;

		Peer fails(IOException failure) {
			this.answers.add(failure);
			return this;
		}

		Peer answers(int status, String body) {
			return answers(status, body, new HttpHeaders());
		}

		Peer answers(int status, String body, String header, String value) {
			HttpHeaders headers = new HttpHeaders();
			headers.set(header, value);
			return answers(status, body, headers);
		}

		Peer answers(int status, String body, HttpHeaders headers) {
			return add(status, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), headers);
		}

		Peer breaks(String begin) {
			return breaks(begin, "X-Any", "1");
		}

		Peer breaks(String begin, String header, String value) {
			HttpHeaders headers = new HttpHeaders();
			headers.set(header, value);
			return add(201, new SequenceInputStream(new ByteArrayInputStream(begin.getBytes(StandardCharsets.UTF_8)),
					new InputStream() {

						@Override
						public int read() throws IOException {
							throw new IOException("reset");
						}

					}), headers);
		}

		private Peer add(int status, InputStream body, HttpHeaders headers) {
			MockClientHttpResponse response = new MockClientHttpResponse(body, HttpStatusCode.valueOf(status)) {

				private boolean open = true;

				@Override
				public void close() {
					Peer.this.closed += this.open ? 1 : 0;
					this.open = false;
				}

			};
			response.getHeaders().putAll(headers);
			this.answers.add(response);
			return this;
		}

		ClientHttpResponse answer(HttpHeaders headers) throws IOException {
			this.received.add(headers);
			Object answer = this.answers.remove();
			if (answer instanceof IOException failure) {
				throw failure;
			}
			this.sent.add((MockClientHttpResponse) answer);
			return (ClientHttpResponse) answer;
		}

		int open() {
			return this.sent.size() - this.closed;
		}

	}

}
