package io.idempotent.conformance;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.conformance.Profile.Refused;
import io.idempotent.conformance.Request.Header;
import io.idempotent.conformance.Target.Option;
import org.jspecify.annotations.Nullable;

/**
 * One run of vectors against a target. An exchange that several vectors examine is run
 * once.
 */
final class Session {

	private static final Pattern NUMBER = Pattern.compile("[0-9]+");

	private static final Duration PAUSE = Duration.ofMillis(50);

	private final Target target;

	private final Profile profile;

	private final Wire wire;

	private final Map<String, Object> remembered = new HashMap<>();

	Session(Target target, Profile profile) {
		this.target = target;
		this.profile = profile;
		this.wire = new Wire(target.timeout());
	}

	Target target() {
		return this.target;
	}

	Profile profile() {
		return this.profile;
	}

	String keyHeader() {
		String own = this.target.option(Option.KEY_HEADER);
		return (own != null) ? own : "Idempotency-Key";
	}

	/** The header that marks a replay, or {@code null} if the profile has none. */
	@Nullable String marker() {
		String own = this.target.option(Option.REPLAYED_HEADER);
		return (own != null) ? own : this.profile.marker();
	}

	boolean isMarked(Response response) {
		String marker = marker();
		return marker != null && "true".equalsIgnoreCase(response.header(marker));
	}

	static String newKey() {
		return UUID.randomUUID().toString();
	}

	/** The request of the main operation, without a key. */
	Request request() {
		return post(this.target.url(), this.target.body());
	}

	/** The request of the main operation, with a key. */
	Request request(String key) {
		return keyed(request(), key);
	}

	Request post(URI url, String body) {
		String type = this.target.option(Option.CONTENT_TYPE);
		return common(Request.post(url, body)).with("Content-Type", (type != null) ? type : "application/json");
	}

	Request common(Request request) {
		Request complete = request;
		for (Map.Entry<String, String> header : this.target.headers().entrySet()) {
			complete = complete.with(header.getKey(), header.getValue());
		}
		return complete;
	}

	/** A request with a key in the spelling of the profile. */
	Request keyed(Request request, String key) {
		return request.with(keyHeader(), this.profile.spell(key));
	}

	Request withBody(Request request, String body) {
		Request other = Request.post(request.url(), body);
		return new Request(request.method(), request.url(), request.headers(), other.body(), request.framing());
	}

	Request asOtherUser(Request request) {
		if (this.target.otherUser().isEmpty()) {
			throw new NotRun("needs --other-user");
		}
		Request other = request;
		for (Map.Entry<String, String> header : this.target.otherUser().entrySet()) {
			other = other.with(header.getKey(), header.getValue());
		}
		return other;
	}

	Response send(Request request) {
		return this.wire.send(request);
	}

	/** Sends a request that must succeed. */
	Response succeed(Request request) {
		Response response = send(request);
		require(response.isSuccess(), () -> "a valid request " + describe(request) + " gets " + response);
		return response;
	}

	/** Repeats a request until it is no longer in progress. */
	Response settle(Request request) {
		long end = System.nanoTime() + this.target.timeout().toNanos();
		Response response = send(request);
		while (response.status() == 409 && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(PAUSE.toNanos());
			response = send(request);
		}
		return response;
	}

	/** Sends requests at the same time. */
	List<Response> sendAll(List<Request> requests) {
		ExecutorService threads = Executors.newFixedThreadPool(requests.size());
		try {
			List<Future<Response>> all = requests.stream()
				.map((request) -> threads.submit(() -> send(request)))
				.toList();
			return all.stream().map(Session::join).toList();
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static Response join(Future<Response> response) {
		try {
			return response.get();
		}
		catch (ExecutionException ex) {
			throw new NotConforming(String.valueOf(ex.getMessage()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NotRun("interrupted");
		}
	}

	/** The number of effects so far, or {@code null} if it cannot be known. */
	@Nullable Long effects() {
		if (this.target.option(Option.COUNT_URL) == null) {
			return null;
		}
		String body = succeed(common(Request.without("GET", this.target.requireUrl(Option.COUNT_URL)))).text();
		Matcher number = NUMBER.matcher(body);
		if (!number.find()) {
			throw new NotRun(Option.COUNT_URL.flag() + " returns no number");
		}
		return Long.valueOf(number.group());
	}

	long requireEffects() {
		this.target.require(Option.COUNT_URL);
		Long effects = effects();
		return (effects != null) ? effects : 0;
	}

	@SuppressWarnings("unchecked")
	<T> T once(String name, Supplier<T> scenario) {
		Object known = this.remembered.get(name);
		if (known == null) {
			known = scenario.get();
			this.remembered.put(name, known);
		}
		return (T) known;
	}

	static void require(boolean condition, Supplier<String> message) {
		if (!condition) {
			throw new NotConforming(message.get());
		}
	}

	void requireRefused(Response response, Refused refused) {
		int status = switch (refused) {
			case MISSING, MALFORMED -> 400;
			case REUSED -> this.profile.reusedStatus();
			case IN_PROGRESS -> 409;
		};
		require(response.status() == status, () -> "expected " + status + ", got " + response);
	}

	/** Whether two responses are those of one execution. */
	static boolean isSame(Response first, Response second) {
		return first.status() == second.status() && Arrays.equals(first.body(), second.body());
	}

	static void requireSame(Response first, Response second) {
		require(isSame(first, second), () -> "the first response was " + first + ", and the second one is " + second);
	}

	private static String describe(Request request) {
		StringBuilder text = new StringBuilder(request.method()).append(' ').append(request.url().getPath());
		for (Header header : request.headers()) {
			if (header.name().equalsIgnoreCase("Idempotency-Key")) {
				text.append(" with the key ").append(header.value());
			}
		}
		return text.toString();
	}

}
