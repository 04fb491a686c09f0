package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whoever is killed, a subscription is charged, booked and confirmed once.
 */
class SubscriptionTests {

	private static final String[] SERVICES = { "charges", "mails" };

	private static ProviderProcess provider;

	private static Fleet fleet;

	private final String key = UUID.randomUUID().toString();

	private final String body = "{\"tea\": \"sencha\", \"email\": \"" + this.key + "@example.com\"}";

	private final List<Integer> effectsBefore = effects();

	@BeforeAll
	static void start(@TempDir Path directory) {
		provider = new ProviderProcess(directory);
		fleet = Fleet.start(directory, 1 + SERVICES.length, "--shop.provider.url=" + provider.url(),
				"--idempotent.defaults.lease=2s");
	}

	@AfterAll
	static void stop() {
		fleet.close();
		provider.close();
	}

	/** Each of them kills another node, none of them that with the Redis of all. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void aNodeIsKilledWhileItCallsTheProvider(int node) {
		String service = SERVICES[node - 1];
		int before = provider.calls(service);
		provider.pause(service);
		CompletableFuture<HttpResponse<String>> first = fleet.shops()
			.get(node)
			.postLater("/subscriptions", this.body, "Idempotency-Key", this.key);
		await().atMost(Duration.ofMinutes(1)).until(() -> provider.calls(service) == before + 1);
		fleet.kill(node);
		provider.resume(service);
		assertThat(first).failsWithin(Duration.ofSeconds(10));
		HttpResponse<String> repeat = await().atMost(Duration.ofMinutes(1))
			.until(this::subscribe, (answer) -> answer.statusCode() == 201);
		assertThat(JsonPath.<String>read(repeat.body(), "$.charge"))
			.isEqualTo("charges-" + (this.effectsBefore.get(0) + 1));
		assertThat(provider.calls(service)).as("with the same key").isEqualTo(before + 2);
		assertOnce();
	}

	@Test
	void theProviderIsKilled() {
		provider.kill();
		assertThat(subscribe().statusCode()).isEqualTo(500);
		provider.start();
		assertThat(subscribe().statusCode()).isEqualTo(201);
		assertThat(Shop.isReplay(subscribe())).isTrue();
		assertOnce();
	}

	private HttpResponse<String> subscribe() {
		return fleet.shops().get(0).post("/subscriptions", this.body, "Idempotency-Key", this.key);
	}

	private void assertOnce() {
		assertThat(effects()).isEqualTo(this.effectsBefore.stream().map((count) -> count + 1).toList());
		assertThat(fleet.database()
			.sql("select count(*) from subscription where email like ?")
			.param(this.key + "%")
			.query(Integer.class)
			.single()).isOne();
	}

	private static List<Integer> effects() {
		return Stream.of(SERVICES).map((service) -> provider.effects(service)).toList();
	}

}
