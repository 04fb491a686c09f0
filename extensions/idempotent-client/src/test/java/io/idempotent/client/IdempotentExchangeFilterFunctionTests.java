package io.idempotent.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.mock.http.client.reactive.MockClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeStrategies;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the filter sends, repeats and returns.
 */
class IdempotentExchangeFilterFunctionTests {

	private final Deque<Supplier<Mono<ClientResponse>>> answers = new ArrayDeque<>();

	private final List<HttpHeaders> headers = new ArrayList<>();

	private final List<String> bodies = new ArrayList<>();

	private static IdempotentClientSettings.Builder settings() {
		return IdempotentClientSettings.builder()
			.retryPolicy(RetryPolicy.builder().maxRetries(2).delay(Duration.ofMillis(1)).build());
	}

	private WebClient client(IdempotentClientSettings.Builder settings) {
		return WebClient.builder()
			.baseUrl("http://peer")
			.filter(new IdempotentExchangeFilterFunction(settings.build()))
			.exchangeFunction((request) -> {
				MockClientHttpRequest written = new MockClientHttpRequest(request.method(), request.url());
				return request.writeTo(written, ExchangeStrategies.withDefaults())
					.then(Mono.defer(written::getBodyAsString))
					.flatMap((body) -> {
						this.headers.add(written.getHeaders());
						this.bodies.add(body);
						return this.answers.remove().get();
					});
			})
			.build();
	}

	private WebClient client() {
		return client(settings());
	}

	private IdempotentExchangeFilterFunctionTests answers(HttpStatus status, String... parts) {
		this.answers.add(() -> Mono.just(response(status, Flux.fromArray(parts).map(this::buffer))));
		return this;
	}

	private void answersWith(HttpStatus status, String header, String value) {
		this.answers.add(() -> Mono.just(ClientResponse.create(status).header(header, value).body("done").build()));
	}

	private IdempotentExchangeFilterFunctionTests fails(Exception failure) {
		this.answers.add(() -> Mono.error(
				new WebClientRequestException(failure, HttpMethod.POST, URI.create("http://peer"), new HttpHeaders())));
		return this;
	}

	private ClientResponse response(HttpStatus status, Flux<DataBuffer> body) {
		return ClientResponse.create(status).body(body).build();
	}

	private DataBuffer buffer(String text) {
		return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8));
	}

	private static @Nullable String post(WebClient client, String body) {
		return client.post().uri("/charges").bodyValue(body).retrieve().bodyToMono(String.class).block();
	}

	private List<@Nullable String> keys() {
		return this.headers.stream().map((attempt) -> attempt.getFirst("Idempotency-Key")).toList();
	}

	@Test
	void oneKeyAndBodyAreSentWithEachAttempt() {
		fails(new IOException("reset")).answers(HttpStatus.SERVICE_UNAVAILABLE).answers(HttpStatus.CREATED, "do", "ne");
		assertThat(post(client(), "order")).isEqualTo("done");
		assertThat(this.bodies).containsExactly("order", "order", "order");
		assertThat(Set.copyOf(keys())).hasSize(1);
		assertThat(this.headers).allSatisfy((attempt) -> {
			assertThat(attempt.getContentLength()).isEqualTo(5);
			assertThat(attempt.getContentType()).isNotNull();
		});
	}

	@Test
	void aKeyOfTheCallerIsKept() {
		answers(HttpStatus.SERVICE_UNAVAILABLE).answers(HttpStatus.CREATED, "done");
		client().post().uri("/charges").header("Idempotency-Key", "mine").retrieve().toBodilessEntity().block();
		assertThat(keys()).containsExactly("mine", "mine");
	}

	@Test
	void noAttemptBeginsAfterTheAnnouncedTime() {
		answersWith(HttpStatus.CREATED, "Idempotency-TTL", "59");
		fails(new IOException("reset")).answers(HttpStatus.SERVICE_UNAVAILABLE, "busy");
		WebClient slow = client(settings().retryPolicy(RetryPolicy.builder().delay(Duration.ofMinutes(1)).build()));
		assertThat(post(slow, "order")).isEqualTo("done");
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> post(slow, "order"))
				.withMessageContaining("59 seconds");
		}
		assertThat(this.headers).hasSize(3);
	}

	@Test
	void inProgressIsRepeatedAndOtherConflictsAreNot() {
		answers(HttpStatus.CONFLICT, """
				{"code":"in-progress"}""").answers(HttpStatus.CONFLICT, """
				{"code":"duplicate"}""");
		ClientResponse response = client().post()
			.uri("/charges")
			.exchangeToMono((last) -> last.releaseBody().thenReturn(last))
			.block();
		assertThat(response).isNotNull().extracting(ClientResponse::statusCode).isEqualTo(HttpStatus.CONFLICT);
		assertThat(this.headers).hasSize(2);
	}

	@Test
	void theLastResponseIsReturnedWithItsBody() {
		answers(HttpStatus.SERVICE_UNAVAILABLE, "a").answers(HttpStatus.SERVICE_UNAVAILABLE, "b")
			.answers(HttpStatus.SERVICE_UNAVAILABLE, "c");
		assertThat(client().post().uri("/").exchangeToMono((last) -> last.bodyToMono(String.class)).block())
			.isEqualTo("c");
	}

	@Test
	void theLastFailureIsThrown() {
		fails(new IOException("1")).fails(new IllegalStateException("pool")).fails(new IOException("3"));
		assertThatExceptionOfType(WebClientRequestException.class).isThrownBy(() -> post(client(), "order"))
			.withMessage("3");
		assertThat(this.headers).hasSize(3);
	}

	@Test
	void aResponseThatBreaksIsRepeated() {
		this.answers.add(() -> Mono.just(response(HttpStatus.CREATED,
				Flux.concat(Mono.just(buffer("hal")), Mono.error(new IOException("reset"))))));
		answers(HttpStatus.CREATED, "whole");
		assertThat(post(client(), "order")).isEqualTo("whole");
	}

	@Test
	void aResponseThatBreaksEachTimeIsAFailedRequest() {
		for (int i = 0; i < 3; i++) {
			this.answers.add(() -> Mono.just(response(HttpStatus.CREATED, Flux.error(new IOException("reset")))));
		}
		assertThatExceptionOfType(WebClientRequestException.class).isThrownBy(() -> post(client(), "order"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 4, 5, 6 })
	void aLargeResponsePassesWhole(int limit) {
		answers(HttpStatus.CREATED, "wh", "o", "le");
		assertThat(client(settings().maxBody(limit)).post().uri("/").retrieve().bodyToMono(String.class).block())
			.isEqualTo("whole");
	}

	@Test
	void aLargeRequestIsSentOnceAndNotRepeated() {
		answers(HttpStatus.SERVICE_UNAVAILABLE, "busy");
		assertThat(client(settings().maxBody(4)).post()
			.uri("/")
			.bodyValue("order")
			.exchangeToMono((last) -> last.bodyToMono(String.class))
			.block()).isEqualTo("busy");
		assertThat(this.bodies).containsExactly("order");
	}

	@Test
	void aPublisherIsSubscribedToOnce() {
		AtomicInteger subscriptions = new AtomicInteger();
		Flux<String> once = Flux.just("a", "b").doOnSubscribe((subscription) -> subscriptions.incrementAndGet());
		answers(HttpStatus.SERVICE_UNAVAILABLE).answers(HttpStatus.CREATED, "done");
		client().post()
			.uri("/")
			.contentType(MediaType.TEXT_PLAIN)
			.body(once, String.class)
			.retrieve()
			.toBodilessEntity()
			.block();
		assertThat(this.bodies).containsExactly("ab", "ab");
		assertThat(subscriptions).hasValue(1);
	}

	@Test
	void aStreamIsNotRepeated() {
		answers(HttpStatus.SERVICE_UNAVAILABLE, "busy");
		client().post()
			.uri("/")
			.body((message, context) -> message.writeAndFlushWith(Flux.just(Flux.just(buffer("{}")))))
			.exchangeToMono(ClientResponse::releaseBody)
			.block();
		assertThat(this.headers).hasSize(1);
	}

	@Test
	void aResourceIsRepeated() {
		answers(HttpStatus.SERVICE_UNAVAILABLE).answers(HttpStatus.CREATED);
		client().post()
			.uri("/")
			.bodyValue(new ByteArrayResource("file".getBytes(StandardCharsets.UTF_8)))
			.retrieve()
			.toBodilessEntity()
			.block();
		assertThat(this.bodies).containsExactly("file", "file");
	}

	@Test
	void retryAfterIsHonouredWithoutBlockingAThread() {
		answersWith(HttpStatus.SERVICE_UNAVAILABLE, "Retry-After", "10");
		answers(HttpStatus.CREATED, "done");
		StepVerifier.withVirtualTime(() -> client().post().uri("/").retrieve().bodyToMono(String.class))
			.expectSubscription()
			.expectNoEvent(Duration.ofSeconds(10))
			.thenAwait(Duration.ofSeconds(2))
			.expectNext("done")
			.verifyComplete();
	}

	@Test
	void aCancelledCallIsNotRepeated() {
		answersWith(HttpStatus.SERVICE_UNAVAILABLE, "Retry-After", "10");
		StepVerifier.withVirtualTime(() -> client().post().uri("/").retrieve().toBodilessEntity())
			.expectSubscription()
			.expectNoEvent(Duration.ofSeconds(1))
			.thenCancel()
			.verify();
		assertThat(this.headers).hasSize(1);
	}

	@Test
	void aDelayBeyondTheTimeOutEndsTheCall() {
		answersWith(HttpStatus.SERVICE_UNAVAILABLE, "Retry-After", "3600");
		RetryPolicy policy = RetryPolicy.builder().timeout(Duration.ofSeconds(9)).build();
		client(settings().retryPolicy(policy)).post().uri("/").exchangeToMono(ClientResponse::releaseBody).block();
		assertThat(this.headers).hasSize(1);
	}

	@Test
	void aStreamedResponseArrivesAsItComes() {
		this.answers.add(() -> Mono.just(ClientResponse.create(HttpStatus.OK)
			.header("Content-Type", "text/event-stream")
			.body(Flux.concat(Mono.just(buffer("data: 1\n\n")), Mono.never()))
			.build()));
		StepVerifier.create(client().post().uri("/").retrieve().bodyToFlux(String.class))
			.expectNext("1")
			.thenCancel()
			.verify(Duration.ofSeconds(10));
	}

	@Test
	void aMalformedContentTypeIsLeftToTheCaller() {
		answersWith(HttpStatus.CREATED, "Content-Type", "json");
		assertThat(client().post().uri("/").retrieve().toBodilessEntity().block()).isNotNull();
	}

	@Test
	void aRefusalWithoutEndDoesNotDelayTheNextAttempt() {
		AtomicInteger closed = new AtomicInteger();
		this.answers.add(() -> Mono.just(ClientResponse.create(HttpStatus.SERVICE_UNAVAILABLE)
			.header("Content-Type", "text/event-stream")
			.body(Flux.<DataBuffer>never().doOnCancel(closed::incrementAndGet))
			.build()));
		answers(HttpStatus.CREATED, "done");
		assertThat(client().post().uri("/").retrieve().bodyToMono(String.class).block(Duration.ofSeconds(10)))
			.isEqualTo("done");
		assertThat(closed).hasValue(1);
	}

	@Test
	void otherMethodsPassUnchanged() {
		answers(HttpStatus.SERVICE_UNAVAILABLE);
		client().get().uri("/").exchangeToMono(ClientResponse::releaseBody).block();
		assertThat(this.headers).singleElement().matches((sent) -> !sent.containsHeader("Idempotency-Key"));
	}

}
