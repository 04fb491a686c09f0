package com.example.shop;

import java.util.function.Consumer;

import io.idempotent.Refusal;
import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.servlet.client.RestTestClient;

import static io.idempotent.test.web.IdempotencyRestTestClientSupport.idempotencyKey;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.idempotencyToken;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.notReplayed;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.refused;
import static io.idempotent.test.web.IdempotencyRestTestClientSupport.replayed;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureIdempotency
class OrderServerTests {

	private RestTestClient client;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void aDuplicateGetsTheAnswerOfTheFirst() {
		Consumer<HttpHeaders> key = idempotencyKey();
		this.client.post().uri("/orders").headers(key).body("tea").exchange().expectAll(notReplayed());
		this.client.post().uri("/orders").headers(key).body("tea").exchange().expectAll(replayed());
		this.client.post().uri("/orders").headers(key).body("mate").exchange().expectAll(refused(Refusal.KEY_REUSED));
	}

	@Test
	void aFormIsSentOnce() {
		Consumer<HttpHeaders> token = idempotencyToken(this.client);
		this.client.post().uri("/reviews").headers(token).body("good").exchange().expectAll(notReplayed());
		this.client.post().uri("/reviews").headers(token).body("good").exchange().expectAll(replayed());
	}

}
