package io.idempotent.sample.provider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;

/**
 * Charges cards and sends mails, once for each {@code Idempotency-Key}: a repeated call
 * gets the first answer. What it has done survives its end, in a file.
 *
 * <p>
 * {@code GET} of a service tells how many calls there were, and how many took effect.
 * {@code POST /pause/mails} lets the calls of a service wait before they are answered,
 * until {@code POST /resume/mails}, so that a test can kill the caller meanwhile.
 */
public final class PaymentProvider implements AutoCloseable {

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final @Nullable Path file;

	private final Map<String, Service> services = Map.of("charges", new Service(), "mails", new Service());

	private PaymentProvider(HttpServer server, @Nullable Path file) {
		this.server = server;
		this.file = file;
	}

	/**
	 * Starts a provider on this machine.
	 * @param port where it listens, 0 for any free port
	 * @param file what it has done; {@code null} to keep that in memory
	 */
	public static PaymentProvider start(int port, @Nullable Path file) {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
			PaymentProvider provider = new PaymentProvider(server, file);
			provider.readFile();
			server.createContext("/", provider::handle);
			server.setExecutor(provider.threads);
			server.start();
			return provider;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.server.getAddress().getPort();
	}

	private void readFile() throws IOException {
		if (this.file == null || !Files.exists(this.file)) {
			return;
		}
		for (String line : Files.readAllLines(this.file)) {
			String[] effect = line.split(" ", -1);
			Objects.requireNonNull(this.services.get(effect[0])).effects.put(effect[1], effect[2]);
		}
	}

	private void handle(HttpExchange exchange) throws IOException {
		String[] path = exchange.getRequestURI().getPath().split("/", -1);
		String name = path[path.length - 1];
		Service service = this.services.get(name);
		if (service == null) {
			answer(exchange, 404, "{}");
		}
		else if (exchange.getRequestMethod().equals("GET")) {
			answer(exchange, 200, service.toString());
		}
		else if (path.length == 3) {
			service.pause(path[1].equals("pause"));
			answer(exchange, 200, "{}");
		}
		else {
			String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
			exchange.getRequestBody().readAllBytes();
			service.calls.incrementAndGet();
			String id = effect(name, service, key);
			service.awaitResumption();
			answer(exchange, 201, "{\"id\": \"" + id + "\"}");
		}
	}

	private synchronized String effect(String name, Service service, String key) throws IOException {
		String before = service.effects.get(key);
		if (before != null) {
			return before;
		}
		String id = name + "-" + (service.effects.size() + 1);
		if (this.file != null) {
			Files.write(this.file, List.of(name + " " + key + " " + id), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		service.effects.put(key, id);
		return id;
	}

	private static void answer(HttpExchange exchange, int status, String json) throws IOException {
		byte[] body = json.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		exchange.sendResponseHeaders(status, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.services.values().forEach((service) -> service.pause(false));
		this.threads.shutdownNow();
	}

	private static final class Service {

		private final Map<String, String> effects = new ConcurrentHashMap<>();

		private final AtomicInteger calls = new AtomicInteger();

		private boolean paused;

		synchronized void pause(boolean paused) {
			this.paused = paused;
			notifyAll();
		}

		synchronized void awaitResumption() {
			try {
				while (this.paused) {
					wait();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public String toString() {
			return "{\"calls\": " + this.calls + ", \"effects\": " + this.effects.size() + "}";
		}

	}

}
