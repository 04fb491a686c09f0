package io.idempotent.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Sends the request of a twin to an application without the starter, then to one with it:
 * once, again, and as another caller with the same key. Finds whatever is not as
 * promised.
 */
final class TwinCheck {

	/** What every answer of a recorded operation has besides those of its twin. */
	private static final String LIFETIME = "idempotency-ttl";

	private static final Set<String> MARK = Set.of("idempotency-replayed");

	/** Never stored, so that a replay must be without them. */
	private static final Set<String> NEVER_REPLAYED = Set.of("set-cookie", "www-authenticate");

	/** What Jetty says about caches because of a cookie, which is not replayed. */
	private static final Set<String> BESIDE_COOKIES = Set.of("cache-control", "pragma", "expires");

	private static final int TRIES = 100;

	private final Pair pair;

	private final BiFunction<Integer, Request, RawResponse> client;

	private final String otherCaller;

	private final List<String> found = new ArrayList<>();

	TwinCheck(Pair pair, BiFunction<Integer, Request, RawResponse> client) {
		this(pair, client, Callers.BOB);
	}

	/**
	 * Prepares a check.
	 * @param pair the applications
	 * @param client sends a request to a port
	 * @param otherCaller who tries the key of the first caller
	 */
	TwinCheck(Pair pair, BiFunction<Integer, Request, RawResponse> client, String otherCaller) {
		this.pair = pair;
		this.client = client;
		this.otherCaller = otherCaller;
	}

	/**
	 * Checks a twin.
	 * @param twin the twin
	 * @return a line for each difference from what is promised
	 */
	List<String> of(Twin twin) {
		Request request = twin.request().header("Idempotency-Key: " + UUID.randomUUID());
		Request asAnn = Callers.as(Callers.ANN, request);
		Observed bare = send(this.pair.without(), asAnn);
		Observed first = send(this.pair.with(), asAnn);
		this.found.addAll(Differences.between("first answer", bare.answer(), first.answer()));
		requireRuns("first request", bare.runs(), first.runs());
		Observed repeat = send(this.pair.with(), asAnn);
		switch (twin.repeatAfter(bare.answer())) {
			case IS_REPLAYED -> {
				boolean announced = !twin.request().path().endsWith("by-content");
				requireLifetime("first answer", announced ? "86400" : "", first);
				requireLifetime("repeat", announced ? "86[34]\\d\\d" : "", repeat);
				compareReplay(first, repeat);
			}
			case IS_TOLD_THAT_IT_IS_DONE -> requireTold("response-unavailable", onceRecorded(repeat, asAnn));
			case IS_TOLD_THAT_IT_RUNS -> requireTold("in-progress", repeat);
			case RUNS -> {
				requireLifetime("first answer", "", first);
				compareRun("repeat", bare, repeat);
			}
		}
		compareOtherCaller(Callers.as(this.otherCaller, request));
		return this.found;
	}

	private void compareReplay(Observed first, Observed repeat) {
		Set<String> cookies = first.answer().has("Set-Cookie") ? BESIDE_COOKIES : Set.of();
		RawResponse expected = first.answer().without(NEVER_REPLAYED).without(cookies).withoutSessionId().endToEnd();
		RawResponse actual = repeat.answer().without(MARK).without(cookies).endToEnd();
		if (!repeat.answer().isReplayed()) {
			this.found.add("repeat: is not marked as replayed but answered [" + repeat.answer().status() + "]");
		}
		this.found.addAll(Differences.between("repeat", expected, actual));
		if (repeat.answer().framing() == RawResponse.Framing.BROKEN) {
			this.found.add("repeat: breaks off: " + repeat.answer().connection());
		}
		requireRuns("repeat", 0, repeat.runs());
	}

	/**
	 * What a repeat gets when the record is there: an answer that was streamed may arrive
	 * before.
	 */
	private Observed onceRecorded(Observed repeat, Request request) {
		Observed last = repeat;
		for (int i = 0; i < TRIES && last.answer().body().contains("\"code\":\"in-progress\""); i++) {
			last = send(this.pair.with(), request);
		}
		return last;
	}

	private void requireTold(String code, Observed repeat) {
		RawResponse answer = repeat.answer();
		if (answer.code() != 409 || !(answer.body().contains("\"code\":\"" + code + "\"") || answer.body().isEmpty())) {
			this.found.add("repeat: should be told " + code + " and gets [" + answer.status() + "] " + answer.body());
		}
		requireRuns("repeat", 0, repeat.runs());
	}

	private void compareRun(String what, Observed bare, Observed actual) {
		this.found.addAll(Differences.between(what, bare.answer(), actual.answer()));
		requireRuns(what, bare.runs(), actual.runs());
	}

	private void compareOtherCaller(Request request) {
		Observed bare = send(this.pair.without(), request);
		compareRun("other caller", bare, send(this.pair.with(), request));
	}

	private void requireRuns(String what, int expected, int actual) {
		if (expected != actual) {
			this.found.add(what + ": the handler should run " + expected + " times and ran " + actual + " times");
		}
	}

	private void requireLifetime(String what, String seconds, Observed observed) {
		if (!observed.lifetime().matches(seconds)) {
			this.found.add(what + ": should announce [" + seconds + "] and announces [" + observed.lifetime() + "]");
		}
	}

	private Observed send(Server server, Request request) {
		int before = server.runs();
		RawResponse answer = this.client.apply(server.port(), request);
		return new Observed(answer.without(Set.of(LIFETIME)), server.runs() - before,
				answer.byName().getOrDefault(LIFETIME, ""));
	}

	private record Observed(RawResponse answer, int runs, String lifetime) {
	}

}
