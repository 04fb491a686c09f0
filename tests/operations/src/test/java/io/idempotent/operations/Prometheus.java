package io.idempotent.operations;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Prometheus that scrapes one application twice a second and evaluates the alerts,
 * where one is installed.
 */
final class Prometheus implements AutoCloseable {

	static final String JOB = "shop";

	private final HttpClient http = HttpClient.newHttpClient();

	private final Process process;

	private final int port;

	private Prometheus(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	/** The installed binary, or {@code null}. */
	static @Nullable Path installed() {
		return Stream.of(System.getenv("PATH").split(":"))
			.map((directory) -> Path.of(directory, "prometheus"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	static Prometheus start(Path binary, Path directory, int target) throws IOException {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		Path config = Files.writeString(directory.resolve("prometheus.yml"), """
				global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 1s}
				rule_files: ['%s']
				scrape_configs:
				  - job_name: %s
				    metrics_path: /actuator/prometheus
				    static_configs: [{targets: ['localhost:%d']}]
				""".formatted(Queries.ALERTS.toAbsolutePath().normalize(), JOB, target));
		Process process = new ProcessBuilder(binary.toString(), "--config.file=" + config,
				"--storage.tsdb.path=" + directory.resolve("data"), "--web.listen-address=127.0.0.1:" + port,
				"--log.level=warn")
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("prometheus.log").toFile())
			.start();
		return new Prometheus(process, port);
	}

	/** Waits until a query has a result. */
	void await(String query) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> !query(query).isEmpty());
	}

	/**
	 * Evaluates a query now.
	 * @return the result of the query
	 * @throws IllegalStateException if Prometheus rejects it
	 */
	JsonNode query(String query) throws IOException, InterruptedException {
		JsonNode answer = get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
		if (!answer.path("status").asString().equals("success")) {
			throw new IllegalStateException(query + ": " + answer);
		}
		return answer.path("data").path("result");
	}

	/** The rules that it has loaded. */
	JsonNode rules() throws IOException, InterruptedException {
		return get("/api/v1/rules").path("data").path("groups");
	}

	private JsonNode get(String path) throws IOException, InterruptedException {
		HttpResponse<String> response = this.http.send(
				HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path)).build(),
				HttpResponse.BodyHandlers.ofString());
		return JsonMapper.shared().readTree(response.body());
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(5, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
