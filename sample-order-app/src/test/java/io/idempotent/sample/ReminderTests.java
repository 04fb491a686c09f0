package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;

import com.jayway.jsonpath.JsonPath;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the shop does with a reminder.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ReminderTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void reminderIsSentWhenItIsDue() {
		HttpResponse<String> answer = add("+4930123456", "tea time", Instant.now());
		assertThat(answer.statusCode()).isEqualTo(201);
		String location = answer.headers().firstValue("Location").orElseThrow();
		assertThat(location).isEqualTo("/reminders/" + JsonPath.<Integer>read(answer.body(), "$.id"));
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.shop.get(location).body(), (body) -> JsonPath.read(body, "$.sent"));
		assertThat(JsonPath.<Integer>read(this.shop.get(location).body(), "$.messages")).isEqualTo(1);
	}

	@Test
	void reminderIsNotSentBeforeItIsDue() {
		HttpResponse<String> later = add("4930123456", "later", Instant.now().plus(Duration.ofDays(1)));
		HttpResponse<String> now = add("4930123456", "now", Instant.now());
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> statusOf(now), (body) -> JsonPath.read(body, "$.sent"));
		assertThat(statusOf(later)).isEqualTo(later.body()).endsWith("\"sent\":false,\"messages\":0}");
	}

	@Test
	void shownReminderHidesNumberAndText() {
		HttpResponse<String> answer = add("4930999999", "secret", Instant.now().plus(Duration.ofDays(1)));
		assertThat(statusOf(answer)).doesNotContain("4930999999", "secret");
	}

	@Test
	void unknownReminderIsAProblem() {
		HttpResponse<String> answer = this.shop.get("/reminders/987654321");
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(JsonPath.<String>read(answer.body(), "$.detail")).isEqualTo("There is no reminder 987654321");
	}

	@ParameterizedTest
	@CsvSource({ "call me, tea, 2026-01-01T00:00:00Z", "1234, tea, 2026-01-01T00:00:00Z",
			"1234567890123456, tea, 2026-01-01T00:00:00Z", "4930123456, '', 2026-01-01T00:00:00Z",
			"4930123456, tea, tomorrow", "4930123456, tea, ''", "4930123456, tea, 1999-01-01T00:00:00Z",
			"4930123456, tea, +999999999-01-01T00:00:00Z" })
	void invalidReminderIsRefused(String phone, String text, String at) {
		HttpResponse<String> answer = this.shop.post("/reminders", reminder(phone, text, at));
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
	}

	private HttpResponse<String> add(String phone, String text, Instant at) {
		return this.shop.post("/reminders", reminder(phone, text, at.toString()));
	}

	private String statusOf(HttpResponse<String> added) {
		return this.shop.get(added.headers().firstValue("Location").orElseThrow()).body();
	}

	private static String reminder(String phone, String text, String at) {
		return "{\"phone\": \"%s\", \"text\": \"%s\", \"at\": \"%s\"}".formatted(phone, text, at);
	}

}
