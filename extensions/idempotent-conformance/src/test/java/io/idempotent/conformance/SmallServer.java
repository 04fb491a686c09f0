package io.idempotent.conformance;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.idempotent.conformance.Target.Option;
import io.idempotent.conformance.internal.Json;

/**
 * A small service of the agentic-commerce protocol, written without this library, into
 * which a {@link Fault} can be planted.
 */
final class SmallServer implements AutoCloseable {

	static final String BODY = "{\"sku\":\"green-tea\",\"quantity\":1,\"labels\":[\"gift: wrapped\",\"fragile\"]}";

	static final String OTHER_BODY = "{\"sku\":\"oolong\",\"quantity\":2}";

	private static final Reply RUNNING = new Reply(0, "", Map.of());

	private final Fault fault;

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicLong effects = new AtomicLong();

	private final AtomicLong attempts = new AtomicLong();

	private final Map<List<String>, Stored> records = new HashMap<>();

	private final Map<String, CountDownLatch> refusals = new ConcurrentHashMap<>();

	SmallServer(Fault fault) {
		this.fault = fault;
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		this.server.createContext("/", this::handle);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	URI url() {
		return URI.create("http://127.0.0.1:" + this.server.getAddress().getPort() + "/orders");
	}

	Target target() {
		return Target.of(url(), BODY)
			.with(Option.OTHER_BODY, OTHER_BODY)
			.with(Option.COUNT_URL, "/count")
			.with(Option.SLOW_URL, "/slow")
			.with(Option.CLIENT_ERROR_URL, "/declined")
			.with(Option.SERVER_ERROR_URL, "/broken")
			.with(Option.OTHER_URL, "/gifts")
			.header("X-User", "alice")
			.otherUser("X-User", "bob");
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	private boolean has(Fault planted) {
		return this.fault == planted;
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			byte[] body = exchange.getRequestBody().readAllBytes();
			boolean post = exchange.getRequestMethod().equals("POST");
			Reply reply = (post
					|| (has(Fault.PROTECTS_GET) && exchange.getRequestHeaders().containsKey("Idempotency-Key")))
							? submit(exchange, new String(body, StandardCharsets.UTF_8))
							: new Reply(200, "{\"count\":" + this.effects + "}", Map.of());
			write(exchange, reply);
			String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
			if (key != null && reply.status() >= 400) {
				refusal(key).countDown();
			}
		}
	}

	private Reply submit(HttpExchange exchange, String body) {
		List<String> keys = exchange.getRequestHeaders().get("Idempotency-Key");
		if (keys == null && !has(Fault.RUNS_WITHOUT_KEY)) {
			return error(400, "idempotency_key_required");
		}
		if (keys == null) {
			return run(exchange, body);
		}
		String key = keys.get(0);
		boolean valid = key.chars().allMatch((c) -> (c >= ' ' && c <= '~') || has(Fault.ACCEPTS_ANY_CHARACTER))
				&& (!key.isBlank() || has(Fault.ACCEPTS_EMPTY_KEY))
				&& (key.length() <= 255 || has(Fault.ACCEPTS_OVERLONG_KEY))
				&& (keys.size() == 1 || has(Fault.TAKES_THE_FIRST_OF_TWO_KEYS));
		if (!valid) {
			return error(400, "idempotency_key_invalid");
		}
		Reply reply = once(exchange,
				has(Fault.IGNORES_CASE_OF_KEYS) ? key.toLowerCase(Locale.ROOT)
						: has(Fault.IGNORES_QUOTES) ? key.replace("\"", "")
								: has(Fault.CUTS_KEYS) ? key.substring(0, Math.min(64, key.length())) : key,
				body);
		boolean echo = !has(Fault.NEVER_ECHOES) && (reply.status() < 400 || !has(Fault.ECHOES_SUCCESSES_ONLY));
		return echo ? reply.with("Idempotency-Key", key) : reply;
	}

	private Reply once(HttpExchange exchange, String key, String body) {
		List<String> id = List.of(has(Fault.IGNORES_THE_USER) ? "" : exchange.getRequestHeaders().getFirst("X-User"),
				has(Fault.IGNORES_THE_PATH) ? "" : exchange.getRequestURI().getPath(), key);
		Object content = content(body);
		synchronized (this.records) {
			Stored stored = this.records.get(id);
			if (stored != null) {
				return repeat(id, stored, content);
			}
			if (!has(Fault.RUNS_CONCURRENTLY)) {
				this.records.put(id, new Stored(content, RUNNING));
			}
		}
		Reply reply = run(exchange, body);
		boolean kept = reply.status() != 400 || has(Fault.KEEPS_INVALID_REQUESTS);
		kept &= reply.status() < 500 || has(Fault.REPLAYS_SERVER_ERRORS);
		kept &= reply.status() / 100 != 4 || reply.status() == 400 || !has(Fault.RELEASES_CLIENT_ERRORS);
		synchronized (this.records) {
			if (kept && !has(Fault.FORGETS)) {
				this.records.put(id, new Stored(content, reply));
			}
			else {
				this.records.remove(id);
			}
		}
		return has(Fault.MARKS_FIRST_RESPONSES) ? marked(reply) : reply;
	}

	private Reply repeat(List<String> id, Stored stored, Object content) {
		if (!stored.content().equals(content) && !has(Fault.IGNORES_THE_CONTENT)) {
			if (has(Fault.LOSES_RECORD_AFTER_REUSE)) {
				this.records.remove(id);
			}
			return has(Fault.REPORTS_REUSE_AS_409) ? error(409, "idempotency_conflict")
					: error(422, has(Fault.REPORTS_WRONG_CODE) ? "conflict" : "idempotency_conflict");
		}
		if (stored.reply().equals(RUNNING)) {
			Reply running = error(has(Fault.REPORTS_RUNNING_AS_425) ? 425 : 409, "idempotency_in_flight");
			return has(Fault.SENDS_NO_RETRY_AFTER) ? running : running.with("Retry-After", "1");
		}
		return marked(replay(stored.reply()));
	}

	private Reply replay(Reply reply) {
		Map<String, String> headers = new TreeMap<>(reply.headers());
		if (!has(Fault.REPLAYS_COOKIES)) {
			headers.remove("Set-Cookie");
		}
		if (has(Fault.DROPS_HEADERS)) {
			headers.remove("Location");
		}
		if (has(Fault.DROPS_CONTENT_TYPE)) {
			headers.put("Content-Type", "text/plain");
		}
		return new Reply(has(Fault.REPLAYS_WITH_200) ? 200 : reply.status(),
				has(Fault.CHANGES_THE_BODY) ? reply.body().replace(":", ": ") : reply.body(), headers);
	}

	private Reply marked(Reply reply) {
		return has(Fault.NEVER_MARKS) ? reply : reply.with("Idempotent-Replayed", "true");
	}

	private Reply run(HttpExchange exchange, String body) {
		if (Json.object(body).isEmpty()) {
			return error(400, "invalid");
		}
		String path = exchange.getRequestURI().getPath();
		if (path.equals("/declined") || path.equals("/broken")) {
			return new Reply(path.equals("/broken") ? 500 : 402,
					"{\"attempt\":" + this.attempts.incrementAndGet() + "}",
					Map.of("Content-Type", "application/json"));
		}
		if (path.equals("/slow")) {
			awaitRefusal(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
		}
		long id = this.effects.incrementAndGet();
		return new Reply(201, "{\"id\":" + id + "}",
				Map.of("Content-Type", "application/json", "Location", "/orders/" + id, "Set-Cookie", "last=" + id));
	}

	/** Waits until a duplicate was refused, or long enough to be found running. */
	private void awaitRefusal(String key) {
		try {
			refusal(key).await(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private CountDownLatch refusal(String key) {
		return this.refusals.computeIfAbsent(key, (ignored) -> new CountDownLatch(1));
	}

	private Reply error(int status, String code) {
		return has(Fault.REPORTS_ERRORS_AS_TEXT) ? new Reply(status, code, Map.of("Content-Type", "text/plain"))
				: new Reply(status, "{\"type\":\"invalid_request\",\"code\":\"" + code + "\",\"message\":\"Refused\"}",
						Map.of("Content-Type", "application/json"));
	}

	private Object content(String body) {
		Object json = Json.read(body);
		return (json == null || has(Fault.COMPARES_BYTES)) ? body : normalized(json);
	}

	private Object normalized(Object json) {
		if (json instanceof Map<?, ?> map) {
			Map<Object, Object> members = new LinkedHashMap<>();
			map.forEach((name, value) -> {
				if (!has(Fault.IGNORES_NULL) || !value.toString().equals("null")) {
					members.put(name, normalized(value));
				}
			});
			return members;
		}
		if (json instanceof List<?> list) {
			List<Object> elements = new ArrayList<>();
			list.forEach((element) -> elements.add(normalized(element)));
			return has(Fault.IGNORES_ORDER_OF_ARRAYS) ? java.util.Set.copyOf(elements) : elements;
		}
		boolean number = json.toString().matches("-?[0-9.]+") && json instanceof Json.Literal;
		return (number && !has(Fault.COMPARES_NUMBERS_AS_WRITTEN))
				? new BigDecimal(json.toString()).stripTrailingZeros() : json;
	}

	private static void write(HttpExchange exchange, Reply reply) throws IOException {
		reply.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
		byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
		boolean head = exchange.getRequestMethod().equals("HEAD");
		exchange.sendResponseHeaders(reply.status(), head ? -1 : body.length);
		if (!head) {
			exchange.getResponseBody().write(body);
		}
	}

	private record Stored(Object content, Reply reply) {
	}

	private record Reply(int status, String body, Map<String, String> headers) {

		Reply with(String name, String value) {
			Map<String, String> more = new TreeMap<>(this.headers);
			more.put(name, value);
			return new Reply(this.status, this.body, more);
		}

	}

	/**
	 * A bug, and the vector that ought to find it.
	 */
	enum Fault {

		NONE(""),

		RUNS_WITHOUT_KEY("key.missing"), ACCEPTS_EMPTY_KEY("key.empty"), ACCEPTS_OVERLONG_KEY("key.overlong"),
		ACCEPTS_ANY_CHARACTER("key.non-ascii"), TAKES_THE_FIRST_OF_TWO_KEYS("key.twice"),
		IGNORES_CASE_OF_KEYS("key.case"), IGNORES_QUOTES("syntax.quotes-count"), CUTS_KEYS("key.length-counts"),

		FORGETS("replay.one-effect"), REPLAYS_WITH_200("replay.status"), CHANGES_THE_BODY("replay.body"),
		DROPS_CONTENT_TYPE("replay.content-type"), DROPS_HEADERS("replay.headers"),
		REPLAYS_COOKIES("replay.no-cookies"), NEVER_MARKS("replay.marked"),
		MARKS_FIRST_RESPONSES("replay.first-not-marked"),

		IGNORES_THE_CONTENT("content.other-refused"), REPORTS_REUSE_AS_409("content.other-refused"),
		LOSES_RECORD_AFTER_REUSE("content.first-kept"), COMPARES_BYTES("content.member-order"),
		COMPARES_NUMBERS_AS_WRITTEN("content.numbers-by-value"), IGNORES_NULL("content.null"),
		IGNORES_ORDER_OF_ARRAYS("content.array-order"),

		IGNORES_THE_USER("scope.other-user"), IGNORES_THE_PATH("scope.other-path"),
		PROTECTS_GET("scope.get-leaves-key"),

		RUNS_CONCURRENTLY("concurrent.one-effect"), REPORTS_RUNNING_AS_425("in-progress.conflict"),
		SENDS_NO_RETRY_AFTER("in-progress.retry-after"),

		RELEASES_CLIENT_ERRORS("error.4xx-replayed"), REPLAYS_SERVER_ERRORS("error.5xx-released"),
		KEEPS_INVALID_REQUESTS("error.invalid-not-kept"),

		REPORTS_ERRORS_AS_TEXT("refusal.reused-type"), REPORTS_WRONG_CODE("refusal.reused-code"),
		NEVER_ECHOES("echo.first"), ECHOES_SUCCESSES_ONLY("echo.refusal");

		private final String vector;

		Fault(String vector) {
			this.vector = vector;
		}

		String vector() {
			return this.vector;
		}

	}

}
