package io.idempotent.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.testing.Unchecked;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A customer's view of a shop: nothing but HTTP.
 */
final class Shop {

	static final String TOKEN_HEADER = "Idempotent-Token";

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final HttpClient client = HttpClient.newHttpClient();

	private final int port;

	Shop(int port) {
		this.port = port;
	}

	static Shop of(ConfigurableApplicationContext shop) {
		return new Shop(shop.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	String url(String path) {
		return "http://localhost:" + this.port + path;
	}

	int port() {
		return this.port;
	}

	HttpResponse<String> get(String path, String... headers) {
		return send(request(path, headers).GET().build());
	}

	HttpResponse<String> post(String path, String json, String... headers) {
		return send(postRequest(path, json, headers));
	}

	CompletableFuture<HttpResponse<String>> postLater(String path, String json, String... headers) {
		return this.client.sendAsync(postRequest(path, json, headers), BodyHandlers.ofString());
	}

	/**
	 * Opens an order form, fills it in and sends it.
	 * @param path where to
	 * @param json what
	 * @return the answer
	 */
	HttpResponse<String> submit(String path, String json) {
		return post(path, json, TOKEN_HEADER, openForm());
	}

	/**
	 * What an operator sees of the locks.
	 */
	HttpResponse<String> locks(String password) {
		return get("/actuator/locks", "Authorization", operator(password));
	}

	/**
	 * Switches the lock engine, as an operator does.
	 */
	HttpResponse<String> switchTo(String engine, String password, String... headers) {
		return post("/actuator/locks",
				"{\"action\": \"switch\", \"engine\": \"%s\", \"reason\": \"a test\"}".formatted(engine),
				Stream.concat(Stream.of("Authorization", operator(password)), Stream.of(headers))
					.toArray(String[]::new));
	}

	static String operator(String password) {
		return "Basic " + Base64.getEncoder().encodeToString(("operator:" + password).getBytes(StandardCharsets.UTF_8));
	}

	String openForm() {
		return JsonPath.read(get("/token").body(), "$.token");
	}

	List<Integer> orderIdsOf(String userId) {
		return JsonPath.read(get("/orders").body(), "$[?(@.userId == '" + userId + "')].id");
	}

	static boolean isReplay(HttpResponse<String> answer) {
		return answer.headers().firstValue("Idempotency-Replayed").filter("true"::equals).isPresent();
	}

	static String codeOf(HttpResponse<String> answer) {
		assertThat(answer.body()).as("a refusal with status %d", answer.statusCode()).contains("\"code\"");
		return JsonPath.read(answer.body(), "$.code");
	}

	static String order(String userId, String sku, int quantity) {
		return "{\"userId\": \"%s\", \"sku\": \"%s\", \"quantity\": %d}".formatted(userId, sku, quantity);
	}

	private HttpRequest postRequest(String path, String json, String... headers) {
		return request(path, headers).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json))
			.build();
	}

	private HttpRequest.Builder request(String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path))).timeout(PATIENCE);
		return (headers.length != 0) ? request.headers(headers) : request;
	}

	private HttpResponse<String> send(HttpRequest request) {
		return Unchecked.call(() -> this.client.send(request, BodyHandlers.ofString()));
	}

}
