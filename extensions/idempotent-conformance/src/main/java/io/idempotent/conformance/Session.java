package io.idempotent.conformance;

import java.io.IOException;
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
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.conformance.Profile.Refused;
import io.idempotent.conformance.Result.Outcome;
import io.idempotent.conformance.Target.Option;
import io.idempotent.conformance.internal.Request;
import io.idempotent.conformance.internal.Response;
import io.idempotent.conformance.internal.Wire;
import org.jspecify.annotations.Nullable;

/** One run of vectors against a target. An exchange that several examine is run once. */
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

	/** The value of an option without which the vector cannot be run. */
	String option(Option option) {
		String value = this.target.option(option);
		if (value == null) {
			throw notRun("needs " + option.flag());
		}
		return value;
	}

	URI url(Option option) {
		return this.target.url().resolve(option(option));
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

	String spell(String key) {
		return this.profile.spell(key);
	}

	/** The request of the main operation, without a key. */
	Request request() {
		return post(this.target.url());
	}

	/** The request of the main operation, with a key. */
	Request request(String key) {
		return keyed(request(), key);
	}

	/** A request with a new key, to the URL of an option. */
	Request request(Option url) {
		return keyed(post(url(url)), newKey());
	}

	/** A request with the body of the main operation, without a key. */
	Request post(URI url) {
		String type = this.target.option(Option.CONTENT_TYPE);
		return common(Request.of("POST", url)).withBody(this.target.body())
			.with("Content-Type", (type != null) ? type : "application/json");
	}

	Request get(Option url) {
		return common(Request.of("GET", url(url)));
	}

	Request common(Request request) {
		return request.with(this.target.headers());
	}

	/** A request with a key in the spelling of the profile. */
	Request keyed(Request request, String key) {
		return request.with(keyHeader(), spell(key));
	}

	Request withOtherBody(Request request) {
		return request.withBody(option(Option.OTHER_BODY));
	}

	Request asOtherUser(Request request) {
		if (this.target.otherUser().isEmpty()) {
			throw notRun("needs --other-user");
		}
		return request.with(this.target.otherUser());
	}

	Response send(Request request) {
		try {
			return this.wire.send(request);
		}
		catch (IOException ex) {
			throw failed(request.method() + " " + request.url() + " has no response: " + ex);
		}
	}

	Response succeed(Request request) {
		Response response = send(request);
		require(response.isSuccess(), () -> "a valid request " + describe(request) + " gets " + response);
		return response;
	}

	private String describe(Request request) {
		String key = request.header(keyHeader());
		return request.method() + " " + request.url().getPath() + ((key != null) ? " with the key " + key : "");
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
			throw (ex.getCause() instanceof CheckEnded ended) ? ended : failed(String.valueOf(ex.getCause()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw notRun("interrupted");
		}
	}

	/** The number of effects so far, or {@code null} if it cannot be known. */
	@Nullable Long effects() {
		return (this.target.option(Option.COUNT_URL) != null) ? requireEffects() : null;
	}

	long requireEffects() {
		Matcher number = NUMBER.matcher(succeed(get(Option.COUNT_URL)).text());
		if (!number.find()) {
			throw notRun(Option.COUNT_URL.flag() + " returns no number");
		}
		return Long.parseLong(number.group());
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
			throw failed(message.get());
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

	void requireNotMarked(Response response) {
		require(!isMarked(response), () -> "the response has the header " + marker() + ": true");
	}

	/** Whether two responses are those of one execution. */
	static boolean isSame(Response first, Response second) {
		return first.status() == second.status() && Arrays.equals(first.body(), second.body());
	}

	static void requireSame(Response first, Response second) {
		require(isSame(first, second), () -> "the first response was " + first + ", and the second one is " + second);
	}

	/** Requires that a request with a new key and a variation of it get one response. */
	void requireSame(UnaryOperator<Request> variation) {
		Request request = request(newKey());
		requireSame(succeed(request), send(variation.apply(request)));
	}

	static CheckEnded failed(String detail) {
		return new CheckEnded(Outcome.FAILED, detail);
	}

	static CheckEnded notRun(String detail) {
		return new CheckEnded(Outcome.NOT_RUN, detail);
	}

	/** Ends a check: the target does not conform, or its description lacks something. */
	static final class CheckEnded extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final Outcome outcome;

		private CheckEnded(Outcome outcome, String detail) {
			super(detail);
			this.outcome = outcome;
		}

		Outcome outcome() {
			return this.outcome;
		}

	}

}
