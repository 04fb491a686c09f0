package io.idempotent.conformance;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.conformance.Target.Option;
import io.idempotent.conformance.internal.Request;
import io.idempotent.conformance.internal.Response;
import org.jspecify.annotations.Nullable;

/** Exchanges that several vectors examine. Effects are {@code null} if not known. */
final class Scenarios {

	static final int BURST = 8;

	private Scenarios() {
	}

	/** A request and its repeat. */
	record Repeat(Response first, Response second, @Nullable Long effects) {
	}

	/** A request, another content under the same key, and the first request again. */
	record Reuse(Response first, Response other, Response again, @Nullable Long effects) {
	}

	/** Requests at the same time, and one of them again after they ended. */
	record Overlap(List<Response> all, Response after, @Nullable Long effects) {

		Response winner() {
			return this.all.stream()
				.filter(Response::isSuccess)
				.findFirst()
				.orElseThrow(() -> Session.failed("none of the requests succeeded: " + this.all));
		}

		Response loser() {
			return losers().findFirst()
				.orElseThrow(() -> Session
					.failed("all requests under one key that were sent at once succeeded: " + this.all));
		}

		Stream<Response> losers() {
			return this.all.stream().filter((response) -> !response.isSuccess());
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
			Request other = session.withOtherBody(request);
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
			boolean slow = session.target().option(Option.SLOW_URL) != null;
			Request request = slow ? session.request(Option.SLOW_URL) : session.request(Session.newKey());
			return overlap(session, Collections.nCopies(BURST, request));
		});
	}

	static Overlap running(Session session) {
		return session.once("running", () -> {
			Request request = session.request(Option.SLOW_URL);
			return overlap(session, List.of(request, request));
		});
	}

	static Overlap runningOther(Session session) {
		return session.once("runningOther", () -> {
			Request request = session.request(Option.SLOW_URL);
			return overlap(session, List.of(request, session.withOtherBody(request)));
		});
	}

	static Repeat failure(Session session, Option option) {
		return session.once(option.flag(), () -> {
			Request request = session.request(option);
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
			throw Session.notRun("needs " + Option.COUNT_URL.flag());
		}
		Session.require(effects == expected, () -> "expected " + expected + " effects, counted " + effects);
	}

}
