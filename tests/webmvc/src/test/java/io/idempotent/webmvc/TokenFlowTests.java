package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.engine.IdempotencyGate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A user clicks twice, while the first request runs.
 */
class TokenFlowTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Orders.class);

	@Test
	void aSecondClickGetsTheAnswerOfTheFirst() throws Exception {
		HttpRequest.Builder click = server.post("/slow", "{}").header("Idempotent-Token", server.token());
		CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> server.send(click));
		assertThat(Orders.started.await(10, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<HttpResponse<byte[]>> second = CompletableFuture.supplyAsync(() -> server.send(click));
		await().until(() -> second.isDone() || server.bean(IdempotencyGate.class).status().waiting() == 1);
		Orders.finish.countDown();
		assertThat(first.get().statusCode()).isEqualTo(201);
		assertThat(second.get().statusCode()).isEqualTo(201);
		assertThat(second.get().body()).isEqualTo(first.get().body());
	}

	@RestController
	static class Orders {

		static final CountDownLatch started = new CountDownLatch(1);

		static final CountDownLatch finish = new CountDownLatch(1);

		static final AtomicInteger made = new AtomicInteger();

		@ApiIdempotent
		@PostMapping("/slow")
		ResponseEntity<Integer> createSlowly() throws InterruptedException {
			started.countDown();
			if (!finish.await(10, TimeUnit.SECONDS)) {
				throw new IllegalStateException("never let through");
			}
			return ResponseEntity.status(201).body(made.incrementAndGet());
		}

	}

}
