package io.idempotent.versions;

import java.util.Map;
import java.util.function.BiFunction;

import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.IdempotentExchangeFilterFunction;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.integration.DistributedLockRegistry;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.versions.OrderApplication.NewOrder;
import io.idempotent.versions.OrderApplication.Order;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.api.Test;


import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * On Spring Boot 4.0, with the modules that need Spring Framework 7.
 */
class SpringBoot40Tests extends VersionContract {

	@Test
	void aClientRepeatsACallUnderItsKey() {
		RestClient client = application().getBean(RestClient.Builder.class)
			.requestInterceptor(application().getBean(IdempotentClientInterceptor.class))
			.build();
		assertPlacedOnce("honey",
				(address, order) -> client.post().uri(address).body(order).retrieve().body(Order.class));
	}

	@Test
	void aReactiveClientRepeatsACallUnderItsKey() {
		WebClient client = application().getBean(WebClient.Builder.class)
			.filter(application().getBean(IdempotentExchangeFilterFunction.class))
			.build();
		assertPlacedOnce("jam",
				(address, order) -> client.post()
					.uri(address)
					.bodyValue(order)
					.retrieve()
					.bodyToMono(Order.class)
					.block());
	}

	private static void assertPlacedOnce(String article, BiFunction<String, NewOrder, Order> client) {
		try (FaultyProxy network = new FaultyProxy("localhost", shop().address().getPort())) {
			network.dropNextReply();
			Order order = client.apply("http://localhost:" + network.port() + "/orders/header", new NewOrder(article));
			assertThat(order.article()).isEqualTo(article);
		}
		assertThat(count(article)).isOne();
	}

	@Test
	void aMutationTakesEffectOnce() throws Exception {
		String mutation = "{\"query\":\"mutation { order(article: \\\"lime\\\") { id } }\"}";
		String first = shop().postJson("/graphql", KEY, "lime", mutation).body();
		assertThat(first).contains("\"data\"");
		assertThat(shop().postJson("/graphql", KEY, "lime", mutation).body()).isEqualTo(first);
		assertThat(count("lime")).isOne();
	}

	@Test
	void aToolOfAnAgentTakesEffectOnce() {
		try (McpSyncClient agent = McpClient
			.sync(HttpClientStreamableHttpTransport.builder(shop().address().toString()).build())
			.build()) {
			agent.initialize();
			CallToolRequest request = CallToolRequest.builder("order").arguments(Map.of("article", "mint")).build();
			CallToolResult first = agent.callTool(request);
			assertThat(first.isError()).isNotEqualTo(true);
			assertThat(agent.callTool(request).content()).isEqualTo(first.content());
		}
		assertThat(count("mint")).isOne();
	}

	@Test
	void aLockOfSpringIntegrationIsADistributedLock() throws Exception {
		DistributedLocks locks = application().getBean(DistributedLocks.class);
		application().getBean(DistributedLockRegistry.class)
			.executeLocked("nightly",
					() -> assertThat(locks.get("integration:nightly").isHeldByCurrentThread()).isTrue());
	}

}
