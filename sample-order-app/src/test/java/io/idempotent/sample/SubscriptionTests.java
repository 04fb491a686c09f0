package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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

	private static final String BODY = "{\"tea\": \"sencha\", \"email\": \"hugo@example.com\"}";

	private final String key = UUID.randomUUID().toString();

	private ProviderProcess provider;

	private Fleet fleet;

	@BeforeEach
	void start(@TempDir Path directory) {
		this.provider = new ProviderProcess(directory);
		this.fleet = Fleet.start(directory, 2, "--shop.provider.url=" + this.provider.url(),
				"--idempotent.defaults.lease=2s");
	}

	@AfterEach
	void stop() {
		this.fleet.close();
		this.provider.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "charges", "mails" })
	void aNodeIsKilledWhileItCallsTheProvider(String service) {
		this.provider.pause(service);
		CompletableFuture<HttpResponse<String>> first = this.fleet.shops()
			.get(1)
			.postLater("/subscriptions", BODY, "Idempotency-Key", this.key);
		await().atMost(Duration.ofMinutes(1)).until(() -> this.provider.calls(service) == 1);
		this.fleet.kill(1);
		this.provider.resume(service);
		assertThat(first).failsWithin(Duration.ofSeconds(10));
		HttpResponse<String> repeat = await().atMost(Duration.ofMinutes(1))
			.until(() -> subscribe(0), (answer) -> answer.statusCode() == 201);
		assertThat(JsonPath.<String>read(repeat.body(), "$.charge")).isEqualTo("charges-1");
		assertThat(this.provider.calls(service)).as("with the same key").isEqualTo(2);
		assertOnce();
	}

	@Test
	void theProviderIsKilled() {
		this.provider.kill();
		assertThat(subscribe(0).statusCode()).isEqualTo(500);
		this.provider.start();
		assertThat(subscribe(1).statusCode()).isEqualTo(201);
		assertThat(Shop.isReplay(subscribe(0))).isTrue();
		assertOnce();
	}

	private HttpResponse<String> subscribe(int node) {
		return this.fleet.shops().get(node).post("/subscriptions", BODY, "Idempotency-Key", this.key);
	}

	private void assertOnce() {
		assertThat(this.provider.effects("charges")).isOne();
		assertThat(this.provider.effects("mails")).isOne();
		assertThat(this.fleet.database().sql("select count(*) from subscription").query(Integer.class).single())
			.isOne();
	}

}
