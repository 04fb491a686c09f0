package io.idempotent.graphql;

import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.graphql.data.method.annotation.support.AnnotatedControllerConfigurer;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods that run on other threads than their request, as with virtual threads, and
 * messages without a request.
 */
class OtherThreadTests {

	private static final String PAY = "mutation { pay(amount: 5) { number payer } }";

	private static EmbeddedRedis redis;

	private static ShopServer server;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
		server = ShopServer.start(redis, List.of(Shop.class, OtherThreads.class, Tenants.class));
	}

	@AfterAll
	static void stop() {
		server.close();
		redis.close();
	}

	@Test
	void keyAndCallerAreThoseOfTheRequest() {
		server.till().clear();
		server.send("ann", PAY, Map.of(), "Idempotency-Key", "1");
		assertThat(server.till().thread).startsWith("other-");
		server.send("ann", PAY, Map.of(), "Idempotency-Key", "1");
		assertThat(server.till().paid).hasValue(1);
		server.send("bob", PAY, Map.of(), "Idempotency-Key", "1");
		assertThat(server.till().paid).hasValue(2);
	}

	@Test
	void theCallerResolverDecidesOnMutationsOnly() {
		server.till().clear();
		server.send("ann", PAY, Map.of(), "Idempotency-Key", "2", "Tenant", "north");
		server.send("ann", PAY, Map.of(), "Idempotency-Key", "2", "Tenant", "south");
		assertThat(server.till().paid).hasValue(2);
		assertThat(server.send("ann", PAY, Map.of(), "Idempotency-Key", "2", "Tenant", "").has("errors")).isTrue();
		assertThat(server.send("ann", "{ payments }", Map.of(), "Tenant", "").at("/data/payments").asInt())
			.isEqualTo(2);
	}

	@Test
	void aMessageOfAWebSocketHasNoKey() throws InterruptedException {
		server.till().clear();
		assertThat(sendOverWebSocket(PAY.replace("{ number", "@idempotent(key: \\\"1\\\") { number")))
			.contains("key-missing");
		assertThat(server.till().paid).hasValue(0);
		assertThat(sendOverWebSocket("mutation { placeOrder(input: {id: \\\"1\\\", items: [\\\"pen\\\"]}) { items } }"))
			.contains("pen");
	}

	private static String sendOverWebSocket(String document) throws InterruptedException {
		BlockingQueue<String> answers = new LinkedBlockingQueue<>();
		WebSocket socket = HttpClient.newHttpClient()
			.newWebSocketBuilder()
			.header("Authorization", ShopServer.authorization("ann"))
			.subprotocols("graphql-transport-ws")
			.buildAsync(server.address("ws", "/graphql-ws"), new Answers(answers))
			.join();
		socket.sendText("{\"type\": \"connection_init\"}", true).join();
		assertThat(answers.take()).contains("connection_ack");
		socket
			.sendText("{\"id\": \"1\", \"type\": \"subscribe\", \"payload\": {\"query\": \"" + document + "\"}}", true)
			.join();
		String answer = answers.take();
		socket.abort();
		return answer;
	}

	private record Answers(BlockingQueue<String> texts) implements WebSocket.Listener {

		@Override
		public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
			this.texts.add(text.toString());
			socket.request(1);
			return null;
		}

	}

	/** What Spring Boot configures for virtual threads. */
	static class OtherThreads implements BeanPostProcessor {

		@Override
		public Object postProcessBeforeInitialization(Object bean, String name) {
			if (bean instanceof AnnotatedControllerConfigurer configurer) {
				configurer.setExecutor(new SimpleAsyncTaskExecutor("other-"));
				configurer.setBlockingMethodPredicate((method) -> true);
			}
			return bean;
		}

	}

	static class Tenants implements CallerResolver {

		@Override
		public Caller resolveCaller(HttpServletRequest request) {
			String tenant = request.getHeader("Tenant");
			Assert.isTrue(!"".equals(tenant), "There is a tenant");
			return CallerResolver.principal(request).inTenant(tenant);
		}

	}

}
