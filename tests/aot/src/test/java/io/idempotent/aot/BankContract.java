package io.idempotent.aot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.aot.bank.BankApplication;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that was processed ahead of time keeps the promises.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class BankContract {

	private static final String MAIN = BankApplication.class.getName();

	private static final String METADATA = "resources/META-INF/native-image/io.idempotent/application/reachability-metadata.json";

	private final HttpClient client = HttpClient.newHttpClient();

	private EmbeddedRedis redis;

	private JavaProcess bank;

	private int port;

	private String metadata;

	/**
	 * The store and the lock engine, which are fixed when the application is processed.
	 */
	abstract List<String> arguments();

	@BeforeAll
	void processAndStart(@TempDir Path directory) throws Exception {
		List<String> arguments = new ArrayList<>(List.of("--spring.config.name=bank"));
		arguments.addAll(arguments());
		ClassPath processed = AheadOfTime.process(MAIN, ClassPath.ofTests(), directory, arguments);
		this.metadata = Files.readString(directory.resolve(METADATA));
		this.redis = EmbeddedRedis.start();
		arguments.add("--spring.data.redis.port=" + this.redis.port());
		this.bank = AheadOfTime.start(MAIN, processed, arguments);
		this.port = AheadOfTime.awaitPort(this.bank, 1);
	}

	@AfterAll
	void stop() {
		this.bank.close();
		this.redis.close();
	}

	@Test
	void theProcessedApplicationRuns() {
		assertThat(this.bank.log()).contains("Starting AOT-processed BankApplication").contains(storeName());
	}

	abstract String storeName();

	@Test
	void imageMetadataContainsTypesWrittenAsJson() {
		assertThat(this.metadata).contains("io.idempotent.aot.bank.Booking", "io.idempotent.aot.bank.Payment",
				"io.idempotent.administration.autoconfigure.Responses$InterventionBody",
				"io.idempotent.lock.administration.HeldLockInfo");
	}

	@Test
	void aTokenIsUsedOnce() throws Exception {
		String token = JsonPath.read(get("/token").body(), "$.token");
		assertTakesEffectOnce("/by-token", "token", "Idempotent-Token", token);
	}

	@Test
	void aHeaderKeyIsUsedOnce() throws Exception {
		assertTakesEffectOnce("/by-header", "header", "Idempotency-Key", "\"8e03978e-40d5\"");
	}

	@Test
	void aContentKeyIsUsedOnce() throws Exception {
		assertTakesEffectOnce("/by-content", "content");
	}

	@Test
	void aMethodRunsOnce() throws Exception {
		HttpResponse<String> first = post("/by-method", payment("method"));
		HttpResponse<String> second = post("/by-method", payment("method"));
		assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(get("/bookings/method").body()).isEqualTo("1");
	}

	@Test
	void anEffectLeavesAReceipt() throws Exception {
		int before = Integer.parseInt(get("/receipts").body());
		post("/by-content", payment("receipt"));
		assertThat(get("/receipts").body()).isEqualTo(Integer.toString(before + 1));
	}

	@Test
	void aMethodRunsUnderItsLock() throws Exception {
		HttpResponse<String> audited = post("/audit", payment("audit"));
		assertThat(audited.statusCode()).as(audited.body()).isEqualTo(200);
		assertThat(get("/actuator/locks").statusCode()).isEqualTo(200);
	}

	@Test
	void anInvalidFormCanBeCorrected() throws Exception {
		String token = JsonPath.read(get("/token").body(), "$.token");
		String[] header = { "Idempotent-Token", token };
		assertThat(post("/by-token", "{\"id\": \"\", \"amount\": 1}", header).statusCode()).isEqualTo(400);
		assertThat(post("/by-token", payment("corrected"), header).statusCode()).isEqualTo(200);
	}

	@Test
	void aRefusalIsInTheLanguageOfTheCaller() throws Exception {
		HttpResponse<String> english = post("/by-token", payment("none"));
		HttpResponse<String> chinese = post("/by-token", payment("none"), "Accept-Language", "zh");
		assertThat(english.statusCode()).isEqualTo(400);
		assertThat(JsonPath.<String>read(english.body(), "$.code")).isEqualTo("key-missing");
		assertThat(JsonPath.<String>read(chinese.body(), "$.title"))
			.isNotEqualTo(JsonPath.<String>read(english.body(), "$.title"));
	}

	@Test
	void theOperatorsSeeOperations() throws Exception {
		List<String> names = JsonPath.read(get("/actuator/idempotent").body(), "$.operations[*].name");
		assertThat(names).contains("transfer", "BankController.byToken");
		assertThat(get("/actuator/health").body())
			.isEqualTo("{\"groups\":[\"liveness\",\"readiness\"],\"status\":\"UP\"}");
	}

	private void assertTakesEffectOnce(String path, String id, String... headers) throws Exception {
		HttpResponse<String> first = post(path, payment(id), headers);
		HttpResponse<String> second = post(path, payment(id), headers);
		assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(second.headers().firstValue("Idempotency-Replayed")).contains("true");
		assertThat(get("/bookings/" + id).body()).isEqualTo("1");
	}

	private static String payment(String id) {
		return "{\"id\": \"%s\", \"amount\": 9.90}".formatted(id);
	}

	private HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return this.client.send(request(path).build(), BodyHandlers.ofString());
	}

	private HttpResponse<String> post(String path, String json, String... headers)
			throws IOException, InterruptedException {
		HttpRequest.Builder request = request(path).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json));
		return this.client.send(((headers.length > 0) ? request.headers(headers) : request).build(),
				BodyHandlers.ofString());
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path));
	}

}
