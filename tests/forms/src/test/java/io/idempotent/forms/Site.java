package io.idempotent.forms;

import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.web.util.HtmlUtils;

/**
 * One user of the application, with cookies, as a browser without scripts.
 */
final class Site {

	static final String TOKEN = "_idempotentToken";

	static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

	private static final Pattern INPUT = Pattern.compile("<input[^>]*>");

	private static final Pattern ATTRIBUTE = Pattern.compile("(type|name|value)=\"([^\"]*)\"");

	private final HttpClient client = HttpClient.newBuilder()
		.cookieHandler(new CookieManager())
		.followRedirects(Redirect.NORMAL)
		.build();

	private final String root;

	Site(int port) {
		this.root = "http://localhost:" + port + "/shop";
	}

	HttpResponse<String> get(String path) {
		return send(request(path).GET());
	}

	/**
	 * Sends a form as the page at {@code from} does.
	 */
	HttpResponse<String> post(String path, String from, Map<String, String> fields, String... headers) {
		HttpRequest.Builder request = request(path).header("Content-Type", "application/x-www-form-urlencoded")
			.header("Accept", BROWSER)
			.header("Referer", this.root + from)
			.POST(BodyPublishers.ofString(encoded(fields)));
		for (int i = 0; i < headers.length; i += 2) {
			request.setHeader(headers[i], headers[i + 1]);
		}
		return send(request);
	}

	private static String encoded(Map<String, String> fields) {
		return fields.entrySet()
			.stream()
			.map((field) -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
			.collect(Collectors.joining("&"));
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.root + path)).timeout(Duration.ofSeconds(30));
	}

	HttpResponse<String> send(HttpRequest.Builder request) {
		return this.client.sendAsync(request.build(), BodyHandlers.ofString()).join();
	}

	/**
	 * The fields of the form with an id.
	 */
	static Map<String, String> fields(String page, String id) {
		return inputs(page, "<form id=\"" + id + "\"");
	}

	/**
	 * The fields of the only form of a page.
	 */
	static Map<String, String> fields(String page) {
		return inputs(page, "<form ");
	}

	private static Map<String, String> inputs(String page, String start) {
		int from = page.indexOf(start);
		if (from < 0) {
			throw new AssertionError("No " + start + " in " + page);
		}
		Map<String, String> fields = new LinkedHashMap<>();
		Matcher inputs = INPUT.matcher(page.substring(from, page.indexOf("</form>", from)));
		while (inputs.find()) {
			Map<String, String> attributes = new LinkedHashMap<>();
			Matcher attribute = ATTRIBUTE.matcher(inputs.group());
			while (attribute.find()) {
				attributes.put(attribute.group(1), HtmlUtils.htmlUnescape(attribute.group(2)));
			}
			if (attributes.containsKey("name")) {
				fields.put(attributes.get("name"), attributes.getOrDefault("value", ""));
			}
		}
		return fields;
	}

	static List<String> formIds(String page) {
		Matcher forms = Pattern.compile("<form id=\"([^\"]+)\"").matcher(page);
		List<String> ids = new ArrayList<>();
		while (forms.find()) {
			ids.add(forms.group(1));
		}
		return ids;
	}

	static String header(HttpResponse<?> response, String name) {
		return String.join(", ", response.headers().allValues(name));
	}

}
