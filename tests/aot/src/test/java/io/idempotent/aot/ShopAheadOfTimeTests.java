package io.idempotent.aot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.testing.JavaProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shop takes an order once when it was processed ahead of time.
 */
@Tag("slow")
class ShopAheadOfTimeTests {

	private static final String MAIN = "io.idempotent.sample.SampleOrderApplication";

	private static final Path CLASSES = Path.of("..", "..", "sample-order-app", "target", "classes").toAbsolutePath();

	private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();

	/**
	 * What Spring Data 4.1 generates for a repository that sorts by two properties does
	 * not compile.
	 */
	private static final String NO_GENERATED_REPOSITORIES = "--spring.aot.repositories.enabled=false";

	private final HttpClient client = HttpClient.newHttpClient();

	@Test
	void anOrderIsTakenOnce(@TempDir Path directory) throws Exception {
		assertThat(CLASSES).as("the classes of the shop").isDirectory();
		ClassPath shop = ClassPath.ofTests().without(TEST_CLASSES).after(CLASSES);
		ClassPath processed = AheadOfTime.process(MAIN, shop, directory, List.of(NO_GENERATED_REPOSITORIES));
		Path launcher = Files.createDirectories(directory.resolve("launcher/io/idempotent/aot"));
		Files.copy(TEST_CLASSES.resolve("io/idempotent/aot/Launcher.class"), launcher.resolve("Launcher.class"));
		try (JavaProcess process = AheadOfTime.start(MAIN, processed.after(directory.resolve("launcher")),
				List.of("--server.port=0"))) {
			String shopUrl = "http://localhost:" + AheadOfTime.awaitPort(process, 1);
			assertThat(process.log()).contains("Starting AOT-processed SampleOrderApplication");
			String token = JsonPath.read(send(HttpRequest.newBuilder(URI.create(shopUrl + "/token"))).body(),
					"$.token");
			HttpResponse<String> first = order(shopUrl, token);
			HttpResponse<String> second = order(shopUrl, token);
			assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
			assertThat(second.body()).isEqualTo(first.body());
			assertThat(second.headers().firstValue("Idempotency-Replayed")).contains("true");
		}
	}

	private HttpResponse<String> order(String shop, String token) throws Exception {
		return send(HttpRequest.newBuilder(URI.create(shop + "/orders"))
			.header("Content-Type", "application/json")
			.header("Idempotent-Token", token)
			.POST(BodyPublishers.ofString("{\"userId\": \"alice\", \"sku\": \"green-tea\", \"quantity\": 1}")));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
		return this.client.send(request.build(), BodyHandlers.ofString());
	}

}
