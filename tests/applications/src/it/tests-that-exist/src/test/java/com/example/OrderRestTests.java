package com.example;

import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrderRestTests {

	private RestTestClient client;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void placesAnOrder() {
		post(Map.of("article", "tea")).expectStatus().isCreated().expectBody().jsonPath("$.article").isEqualTo("tea");
	}

	@Test
	void eachOrderHasItsOwnAddress() {
		String first = location();
		this.client.get().uri(first).exchange().expectStatus().isOk();
		post(Map.of("article", "tea")).expectHeader().value("Location", (second) -> {
			if (second.equals(first)) {
				throw new AssertionError(second);
			}
		});
	}

	@Test
	void refusesAnOrderOfNothing() {
		post(Map.of()).expectStatus().isBadRequest();
	}

	@Test
	void changesAnOrder() {
		String order = location();
		for (String article : new String[] { "mate", "coffee" }) {
			this.client.put()
				.uri(order)
				.body(Map.of("article", article))
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.article")
				.isEqualTo(article);
		}
	}

	@Test
	void cancelsAnOrder() {
		String order = location();
		this.client.delete().uri(order).exchange().expectStatus().isNoContent();
		this.client.get().uri(order).exchange().expectStatus().isNotFound();
	}

	private String location() {
		return post(Map.of("article", "tea")).returnResult(Void.class).getResponseHeaders().getLocation().toString();
	}

	private RestTestClient.ResponseSpec post(Map<String, String> order) {
		return this.client.post().uri("/orders").contentType(MediaType.APPLICATION_JSON).body(order).exchange();
	}

}
