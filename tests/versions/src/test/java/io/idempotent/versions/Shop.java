package io.idempotent.versions;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A running {@link OrderApplication}, as its clients see it.
 */
record Shop(URI address) {

	private static final HttpClient client = HttpClient.newHttpClient();

	static Shop at(String port) {
		return new Shop(URI.create("http://localhost:" + port));
	}

	Answer order(String kind, String header, String key, String article) throws IOException, InterruptedException {
		return postJson("/orders/" + kind, header, key, "{\"article\":\"" + article + "\"}");
	}

	Answer postJson(String path, String header, String key, String json) throws IOException, InterruptedException {
		return Answer.of(client.send(request(path).header("Content-Type", "application/json")
			.header(header, key)
			.POST(BodyPublishers.ofString(json))
			.build(), BodyHandlers.ofString()));
	}

	Answer post(String path, String form) throws IOException, InterruptedException {
		return Answer.of(client.send(request(path).header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(form))
			.build(), BodyHandlers.ofString()));
	}

	/** What a client of that language gets that sends no key. */
	String refusal(String language) throws IOException, InterruptedException {
		return client
			.send(request("/orders/header").header("Accept-Language", language).POST(BodyPublishers.noBody()).build(),
					BodyHandlers.ofString())
			.body();
	}

	String get(String path) throws IOException, InterruptedException {
		return client
			.send(request(path).header("Accept", "application/json, text/html").GET().build(), BodyHandlers.ofString())
			.body();
	}

	/** The first group of a pattern in a page. */
	String find(String path, String regex) throws IOException, InterruptedException {
		String page = get(path);
		Matcher matcher = Pattern.compile(regex).matcher(page);
		assertThat(matcher.find()).as(page).isTrue();
		return matcher.group(1);
	}

	String token() throws IOException, InterruptedException {
		return find("/token", "\"token\":\"([^\"]+)\"");
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(this.address.resolve(path));
	}

	record Answer(int status, String type, String body, boolean replayed) {

		static Answer of(HttpResponse<String> response) {
			return new Answer(response.statusCode(), response.headers().firstValue("Content-Type").orElse(""),
					response.body(),
					response.headers().firstValue("Idempotency-Replayed").filter("true"::equals).isPresent());
		}

	}

}
