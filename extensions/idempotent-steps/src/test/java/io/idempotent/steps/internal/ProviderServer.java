package io.idempotent.steps.internal;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.idempotent.testing.Unchecked;

/**
 * A provider for other processes, which outlives them.
 */
final class ProviderServer implements AutoCloseable {

	private final Provider provider = new Provider();

	private final HttpServer server;

	ProviderServer() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	private void handle(HttpExchange exchange) throws IOException {
		String[] path = exchange.getRequestURI().getPath().split("/", -1);
		byte[] result = this.provider.call(path[2], path[1]).getBytes(StandardCharsets.UTF_8);
		try (exchange) {
			exchange.sendResponseHeaders(200, result.length);
			exchange.getResponseBody().write(result);
		}
	}

	int effects() {
		return this.provider.effects();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	/** A call of the provider at an address. */
	static String call(String url, String key, String what) {
		return Unchecked.call(() -> {
			HttpURLConnection connection = (HttpURLConnection) URI.create(url + "/" + what + "/" + key)
				.toURL()
				.openConnection();
			connection.setRequestMethod("POST");
			return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		});
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
