package io.idempotent.openapi;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A request to an operation of the shop.
 *
 * @param path the path
 * @param sku what is ordered
 * @param headers the headers
 */
record Submission(String path, @Nullable String sku, Map<String, String> headers) {

	Submission with(String header, String value) {
		Map<String, String> all = new LinkedHashMap<>(this.headers);
		all.put(header, value);
		return new Submission(this.path, this.sku, all);
	}

	Submission withSku(@Nullable String other) {
		return new Submission(this.path, other, this.headers);
	}

	HttpRequest request(int port) {
		boolean form = this.path.startsWith("/forms");
		String json = (this.sku != null) ? "{\"sku\":\"" + this.sku + "\"}" : "{}";
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + this.path))
			.header("Content-Type", form ? "application/x-www-form-urlencoded" : "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(form ? "sku=" + this.sku : json));
		this.headers.forEach(request::header);
		return request.build();
	}

}
