package io.idempotent.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.idempotent.http.RawResponse.Framing;
import io.idempotent.http.RawResponse.Header;

/**
 * A client of HTTP/2 without TLS, by the upgrade of its first request.
 */
final class Http2Client {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/** The ports whose connection speaks HTTP/2 already. */
	private final Set<Integer> upgraded = new HashSet<>();

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

	RawResponse send(int port, Request request) {
		try {
			if (this.upgraded.add(port)) {
				this.client.send(to(port, Request.get("/next")), BodyHandlers.ofByteArray());
			}
			HttpResponse<byte[]> response = this.client.send(to(port, request), BodyHandlers.ofByteArray());
			List<Header> headers = new ArrayList<>();
			response.headers().map().forEach((name, values) -> {
				if (!name.equals("date")) {
					values.forEach((value) -> headers.add(new Header(name, value)));
				}
			});
			return new RawResponse(List.of(), response.version() + " " + response.statusCode(), headers, Framing.NONE,
					new String(response.body(), StandardCharsets.ISO_8859_1), List.of(), "");
		}
		catch (IOException ex) {
			return new RawResponse(List.of(), "none 000", List.of(), Framing.BROKEN, "", List.of(), ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static HttpRequest to(int port, Request request) {
		HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + request.path()))
			.timeout(PATIENCE)
			.method(request.method(),
					(request.body() != null) ? BodyPublishers.ofByteArray(request.body()) : BodyPublishers.noBody());
		request.headers().forEach((line) -> {
			int colon = line.indexOf(':');
			builder.header(line.substring(0, colon), line.substring(colon + 1).strip());
		});
		return builder.build();
	}

}
