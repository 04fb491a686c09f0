package io.idempotent.openapi;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * The shop on a real server, with a Redis of its own.
 */
final class RunningShop implements AutoCloseable {

	private final @Nullable EmbeddedRedis redis;

	private final ConfigurableApplicationContext context;

	private final HttpClient client = HttpClient.newHttpClient();

	private final Supplier<Document> document = SingletonSupplier
		.of(() -> Document.parse(get("/v3/api-docs", "en").body()));

	private RunningShop(@Nullable EmbeddedRedis redis, ConfigurableApplicationContext context) {
		this.redis = redis;
		this.context = context;
	}

	static RunningShop start() {
		EmbeddedRedis redis = EmbeddedRedis.start();
		return new RunningShop(redis,
				run("spring.data.redis.port=" + redis.port(), "idempotent.store.redis.timeout=500ms"));
	}

	/**
	 * Starts a shop that keeps its records in memory.
	 */
	static RunningShop startWithoutServer(String... properties) {
		return new RunningShop(null, run(properties));
	}

	private static ConfigurableApplicationContext run(String... properties) {
		boolean local = Stream.of(properties).noneMatch((property) -> property.contains("redis"));
		return new SpringApplicationBuilder(Shop.class)
			.properties("server.port=0", "spring.main.banner-mode=off", "idempotent.web.max-request-body=2KB",
					"idempotent.lock.enabled=false", "spring.application.name=openapi-shop",
					"idempotent.defaults.wait-timeout=200ms", "idempotent.store.type=" + (local ? "local" : "redis"))
			.properties(properties)
			.run();
	}

	Conduct conduct() {
		return this.context.getBean(Conduct.class);
	}

	Document document() {
		return this.document.get();
	}

	HttpResponse<String> get(String path, String language) {
		return send(HttpRequest.newBuilder(uri(path)).header("Accept-Language", language).build());
	}

	HttpResponse<String> send(Submission submission) {
		return send(submission.request(port()));
	}

	/**
	 * A first submission to an operation, with the key or token that its document asks
	 * for.
	 */
	Submission first(String path) {
		String value = UUID.randomUUID().toString();
		Submission submission = new Submission(path, value, Map.of());
		return switch (document().extension(path).path("source").asString()) {
			case "header" -> submission.with("Idempotency-Key", value);
			case "token" -> submission.with("Idempotent-Token", token());
			default -> submission;
		};
	}

	private String token() {
		return send(HttpRequest.newBuilder(uri("/token")).header("Accept", "text/plain").build()).body();
	}

	private HttpResponse<String> send(HttpRequest request) {
		return this.client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
	}

	private URI uri(String path) {
		return URI.create("http://localhost:" + port() + path);
	}

	private int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@Override
	public void close() {
		this.context.close();
		if (this.redis != null) {
			this.redis.close();
		}
	}

}
