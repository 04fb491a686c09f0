package com.example.shop;

import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.client.RestTestClient;

import static io.idempotent.test.web.IdempotencyRestTestClientSupport.notReplayed;

/**
 * Tests that call a server and know nothing of keys pass.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureIdempotency(addKeys = true)
class ExistingServerTests {

	@Test
	void sameOrdersWithoutKeysAreTwoOrders(@LocalServerPort int port) {
		RestTestClient client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
		for (int i = 0; i < 2; i++) {
			client.post().uri("/orders").body("tea").exchange().expectAll(notReplayed()).expectStatus().isCreated();
			client.post().uri("/reviews").body("good").exchange().expectAll(notReplayed()).expectStatus().isOk();
		}
	}

}
