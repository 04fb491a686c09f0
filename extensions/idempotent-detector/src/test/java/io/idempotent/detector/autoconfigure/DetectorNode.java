package io.idempotent.detector.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.detector.autoconfigure.DetectorEndpoint.EndpointBody;
import io.idempotent.embedded.EmbeddedRedis;
import org.awaitility.Awaitility;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node of an application on Tomcat, and a client of it.
 */
final class DetectorNode implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private DetectorNode(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static DetectorNode start(Class<?> application, String... properties) {
		return new DetectorNode(new SpringApplicationBuilder(application)
			.properties("server.port=0", "spring.main.banner-mode=off", "logging.level.root=warn",
					"management.endpoints.web.exposure.include=idempotentdetector", "spring.application.name=shop")
			.run(Stream.of(properties).map("--"::concat).toArray(String[]::new)));
	}

	static DetectorNode start(EmbeddedRedis redis, String... properties) {
		return start(WatchedApplication.class, Stream
			.concat(Stream.of("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"spring.data.redis.timeout=1s", "idempotent.store.redis.timeout=1s"), Stream.of(properties))
			.toArray(String[]::new));
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest
			.newBuilder(URI.create("http://localhost:"
					+ this.context.getEnvironment().getRequiredProperty("local.server.port") + path))
			.timeout(Duration.ofSeconds(30));
	}

	HttpRequest.Builder json(String path, String body) {
		return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
	}

	/** Sends a request, which the detector must not fail. */
	String post(String path, String body) {
		return send(json(path, body));
	}

	String send(HttpRequest.Builder request) {
		HttpResponse<String> response = exchange(request);
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

	HttpResponse<String> exchange(HttpRequest.Builder request) {
		return this.client.sendAsync(request.build(), BodyHandlers.ofString()).join();
	}

	long beans(Class<?> type) {
		return this.context.getBeanProvider(type).stream().count();
	}

	List<EndpointBody> endpoints() {
		return bean(DetectorEndpoint.class).endpoints().endpoints();
	}

	EndpointBody endpoint(String method, String uri) {
		return endpoints().stream()
			.filter((endpoint) -> endpoint.method().equals(method) && endpoint.uri().equals(uri))
			.findFirst()
			.orElseThrow();
	}

	/** Requests are judged after their response. */
	void awaitCounts(String uri, long requests, long repeated, long unjudged) {
		Awaitility.await().untilAsserted(() -> {
			EndpointBody endpoint = endpoint("POST", uri);
			assertThat(List.of(endpoint.requests(), endpoint.repeated(), endpoint.unjudged())).containsExactly(requests,
					repeated, unjudged);
		});
	}

	@Override
	public void close() {
		this.context.close();
	}

}
