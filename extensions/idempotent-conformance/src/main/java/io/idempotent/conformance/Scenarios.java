package io.idempotent.conformance;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.idempotent.conformance.Target.Option;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges that several vectors examine.
 */
final class Scenarios {

	/** How many requests are sent at once. */
	static final int BURST = 8;

	private Scenarios() {
	}

	/**
	 * A request and its repeat.
	 *
	 * @param first the first response
	 * @param second the second response
	 * @param effects how many effects both had, or {@code null} if that is not known
	 */
	record Repeat(Response first, Response second, @Nullable Long effects) {
	}

	/**
	 * A request, another one under the same key, and the first one again.
	 *
	 * @param first the first response
	 * @param other the response to the other content
	 * @param again the response to the repeat
	 * @param effects how many effects there were, or {@code null} if that is not known
	 */
	record Reuse(Response first, Response other, Response again, @Nullable Long effects) {
	}

	/**
	 * Requests at the same time, and one of them again after they ended.
	 *
	 * @param all the responses
	 * @param after the response to the repeat
	 * @param effects how many effects there were, or {@code null} if that is not known
	 */
	record Overlap(List<Response> all, Response after, @Nullable Long effects) {

		Response winner() {
			return this.all.stream()
				.filter(Response::isSuccess)
				.findFirst()
				.orElseThrow(() -> new NotConforming("none of the requests succeeded: " + this.all));
		}

		Response loser() {
			return this.all.stream()
				.filter((response) -> !response.isSuccess())
				.findFirst()
				.orElseThrow(() -> new NotConforming(
						"all requests under one key that were sent at once succeeded: " + this.all));
		}

	}

	static Repeat repeat(Session session) {
		return session.once("repeat", () -> {
			Request request = session.request(Session.newKey());
			Long before = session.effects();
			Response first = session.succeed(request);
			Response second = session.send(request);
			return new Repeat(first, second, difference(session, before));
		});
	}

	static Reuse reuse(Session session) {
		return session.once("reuse", () -> {
			Request request = session.request(Session.newKey());
			Request other = session.withBody(request, session.target().require(Option.OTHER_BODY));
			Long before = session.effects();
			Response first = session.succeed(request);
			Response refused = session.send(other);
			return new Reuse(first, refused, session.send(request), difference(session, before));
		});
	}

	static Repeat missing(Session session) {
		return session.once("missing", () -> {
			Long before = session.effects();
			Response first = session.send(session.request());
			Response second = session.send(session.request());
			return new Repeat(first, second, difference(session, before));
		});
	}

	static Overlap burst(Session session) {
		return session.once("burst", () -> {
			URI url = (session.target().option(Option.SLOW_URL) != null) ? session.target().requireUrl(Option.SLOW_URL)
					: session.target().url();
			Request request = session.keyed(session.post(url, session.target().body()), Session.newKey());
			return overlap(session, Collections.nCopies(BURST, request));
		});
	}

	static Overlap running(Session session) {
		return session.once("running", () -> {
			URI url = session.target().requireUrl(Option.SLOW_URL);
			Request request = session.keyed(session.post(url, session.target().body()), Session.newKey());
			return overlap(session, List.of(request, request));
		});
	}

	static Overlap runningOther(Session session) {
		return session.once("runningOther", () -> {
			URI url = session.target().requireUrl(Option.SLOW_URL);
			Request request = session.keyed(session.post(url, session.target().body()), Session.newKey());
			Request other = session.withBody(request, session.target().require(Option.OTHER_BODY));
			return overlap(session, List.of(request, other));
		});
	}

	/** A failing operation and its repeat. */
	static Repeat failure(Session session, Option option) {
		return session.once(option.flag(), () -> {
			URI url = session.target().requireUrl(option);
			Request request = session.keyed(session.post(url, session.target().body()), Session.newKey());
			return new Repeat(session.send(request), session.send(request), null);
		});
	}

	private static Overlap overlap(Session session, List<Request> requests) {
		Long before = session.effects();
		List<Response> all = session.sendAll(requests);
		int winner = IntStream.range(0, all.size()).filter((i) -> all.get(i).isSuccess()).findFirst().orElse(0);
		Response after = session.settle(requests.get(winner));
		return new Overlap(all, after, difference(session, before));
	}

	private static @Nullable Long difference(Session session, @Nullable Long before) {
		Long after = session.effects();
		return (before != null && after != null) ? Long.valueOf(after - before) : null;
	}

	static void requireEffects(@Nullable Long effects, long expected) {
		if (effects == null) {
			throw new NotRun("needs " + Option.COUNT_URL.flag());
		}
		Session.require(effects == expected, () -> "expected " + expected + " effects, counted " + effects);
	}

}
