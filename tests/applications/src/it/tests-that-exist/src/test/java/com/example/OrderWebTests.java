package com.example;

import java.net.URI;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.client.MultipartBodyBuilder;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrderWebTests {

	private WebTestClient client;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.client = WebTestClient.bindToServer(new JdkClientHttpConnector())
			.baseUrl("http://localhost:" + port)
			.build();
	}

	@Test
	void placesAnOrder() {
		post("tea").expectStatus().isCreated().expectBody().jsonPath("$.article").isEqualTo("tea");
	}

	@Test
	void cancelsAnOrder() {
		URI order = post("tea").returnResult(Void.class).getResponseHeaders().getLocation();
		this.client.delete().uri(order.toString()).exchange().expectStatus().isNoContent();
		this.client.get().uri(order.toString()).exchange().expectStatus().isNotFound();
	}

	@Test
	void takesAReview() {
		this.client.post()
			.uri("/reviews")
			.body(BodyInserters.fromFormData("text", "good"))
			.exchange()
			.expectStatus()
			.isFound()
			.expectHeader()
			.valueMatches("Location", ".*/reviews/count");
	}

	@Test
	void takesAReviewInAFile() {
		MultipartBodyBuilder form = new MultipartBodyBuilder();
		form.part("text", new ByteArrayResource("better".getBytes())).filename("review.txt");
		this.client.post()
			.uri("/reviews/file")
			.body(BodyInserters.fromMultipartData(form.build()))
			.exchange()
			.expectStatus()
			.isFound();
	}

	@Test
	void countsEachReview() {
		int before = count();
		for (int i = 0; i < 2; i++) {
			takesAReview();
		}
		if (count() != before + 2) {
			throw new AssertionError(count() + " reviews after " + before);
		}
	}

	private int count() {
		return Integer.parseInt(this.client.get()
			.uri("/reviews/count")
			.exchange()
			.returnResult(String.class)
			.getResponseBody()
			.blockFirst());
	}

	private WebTestClient.ResponseSpec post(String article) {
		return this.client.post().uri("/orders").bodyValue(Map.of("article", article)).exchange();
	}

}
