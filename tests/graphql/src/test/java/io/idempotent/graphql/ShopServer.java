package io.idempotent.graphql;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.idempotent.embedded.EmbeddedRedis;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A Tomcat with a GraphQL endpoint, whose records are in Redis. */
final class ShopServer implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final ConfigurableApplicationContext context;

	private ShopServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static ShopServer start(EmbeddedRedis redis, List<Class<?>> beans, String... properties) {
		List<Class<?>> sources = new ArrayList<>(List.of(Application.class, ShopSecurity.class, Till.class));
		sources.addAll(beans);
		List<String> all = new ArrayList<>(List.of("server.port=0", "spring.application.name=" + UUID.randomUUID(),
				"spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
				"spring.graphql.websocket.path=/graphql-ws", "logging.level.root=warn"));
		all.addAll(List.of(properties));
		return new ShopServer(
				new SpringApplicationBuilder(sources.toArray(Class[]::new)).properties(all.toArray(String[]::new))
					.run());
	}

	Till till() {
		return this.context.getBean(Till.class);
	}

	URI address(String scheme, String path) {
		return URI
			.create(scheme + "://localhost:" + this.context.getEnvironment().getProperty("local.server.port") + path);
	}

	/** Headers are names and values in turn. */
	JsonNode send(String user, String document, Map<String, ?> variables, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(address("http", "/graphql"))
			.header("Content-Type", "application/json")
			.header("Authorization", authorization(user))
			.POST(HttpRequest.BodyPublishers
				.ofString(MAPPER.writeValueAsString(Map.of("query", document, "variables", variables))));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return MAPPER.readTree(CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).join().body());
	}

	static String authorization(String user) {
		return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
