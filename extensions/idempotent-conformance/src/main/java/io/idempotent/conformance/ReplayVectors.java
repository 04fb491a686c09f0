package io.idempotent.conformance;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import io.idempotent.conformance.Scenarios.Repeat;
import io.idempotent.conformance.Vector.Draft;
import io.idempotent.conformance.internal.Request;
import io.idempotent.conformance.internal.Request.Framing;
import io.idempotent.conformance.internal.Request.Header;
import io.idempotent.conformance.internal.Response;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Vector.Clause.acp;
import static io.idempotent.conformance.Vector.Clause.ietf;
import static io.idempotent.conformance.Vector.Clause.promise;
import static io.idempotent.conformance.Vector.Clause.stripe;

/** What a repeat gets. */
final class ReplayVectors {

	private static final String PAGE = "http.md";

	/** Headers of a single message or connection. */
	private static final Set<String> OF_THE_MESSAGE = Set.of("date", "age", "connection", "keep-alive", "server",
			"transfer-encoding", "content-length", "set-cookie", "request-id", "x-request-id", "traceparent", "via",
			"idempotency-ttl");

	private ReplayVectors() {
	}

	static List<Vector> all() {
		return List.of(replayed("replay.status", "A repeat gets the status of the first response").check((s) -> {
			Repeat repeat = Scenarios.repeat(s);
			Session.require(repeat.first().status() == repeat.second().status(),
					() -> "the first status was " + repeat.first().status() + ", then " + repeat.second());
		}), replayed("replay.body", "A repeat gets the body of the first response, byte for byte")
			.check((s) -> Session.requireSame(Scenarios.repeat(s).first(), Scenarios.repeat(s).second())),
				Vector.of("replay.content-type", "A repeat gets the content type of the first response")
					.requiredBy(ietf(SHOULD, "2.6"), acp(MUST, "6.3"), promise(PAGE))
					.check((s) -> requireHeader(s, "content-type")),
				Vector.of("replay.headers", "A repeat gets the headers of the first response, such as Location")
					.requiredBy(ietf(SHOULD, "2.6"), promise("reference/recorded-responses.md"))
					.check(ReplayVectors::requireHeaders),
				Vector.of("replay.no-cookies", "A repeat gets no cookies of the first response")
					.requiredBy(promise("reference/recorded-responses.md"))
					.check((s) -> Session.require(Scenarios.repeat(s).second().header("Set-Cookie") == null,
							() -> "the repeat has a Set-Cookie header")),
				replayed("replay.one-effect", "A repeat has no effect")
					.check((s) -> Scenarios.requireEffects(Scenarios.repeat(s).effects(), 1)),
				Vector.of("replay.marked", "A repeat is marked by a response header")
					.requiredBy(acp(SHOULD, "6.3"), stripe("error-low-level#idempotency"), promise(PAGE, IDEMPOTENT))
					.check((s) -> Session.require(s.isMarked(Scenarios.repeat(s).second()),
							() -> "the repeat has no header " + s.marker() + ": true")),
				Vector.of("replay.first-not-marked", "The first response is not marked as a repeat")
					.requiredBy(stripe("error-low-level#idempotency"), acp(MUST, "6.3"), promise(PAGE, IDEMPOTENT))
					.check((s) -> s.requireNotMarked(Scenarios.repeat(s).first())),
				replayed("replay.many", "Each further repeat gets the same response").check((s) -> {
					Request request = s.request(Session.newKey());
					Response first = s.succeed(request);
					for (int i = 0; i < 4; i++) {
						Session.requireSame(first, s.send(request));
					}
				}),
				Vector.of("replay.other-key", "Another key is another operation, with the same content")
					.requiredBy(ietf(SHOULD, "2.6"), acp(MUST, "6.1"), stripe("api/idempotent_requests"), promise(PAGE))
					.check((s) -> KeyVectors.requireTwoKeys(s, s.spell(Session.newKey()), s.spell(Session.newKey()))),
				Vector.of("replay.request-headers", "Other headers of the request do not count")
					.requiredBy(acp(MUST, "6.2"), promise("reference/keys.md"))
					.check((s) -> {
						Request request = s.request(Session.newKey());
						Response first = s.succeed(request.with("User-Agent", "first").with("Request-Id", "1"));
						Session.requireSame(first,
								s.send(request.with("User-Agent", "second").with("Request-Id", "2")));
					}),
				Vector.of("wire.chunked", "A body in chunks is the same content")
					.requiredBy(promise("reference/keys.md"))
					.check((s) -> s.requireSame((request) -> request.framed(Framing.CHUNKED))),
				replayed("wire.response-lost", "A client that lost the connection gets the response by a repeat")
					.check((s) -> requireRepeatAfter(s, Framing.UNREAD)),
				Vector.of("wire.request-cut", "A request whose body was cut off has no effect, and its key is free")
					.requiredBy(promise("reference/faults.md"))
					.check((s) -> requireRepeatAfter(s, Framing.CUT)));
	}

	private static Draft replayed(String id, String sentence) {
		return Vector.of(id, sentence)
			.requiredBy(ietf(SHOULD, "2.6"), acp(MUST, "6.3"), stripe("api/idempotent_requests"), promise(PAGE));
	}

	private static void requireHeader(Session session, String name) {
		Repeat repeat = Scenarios.repeat(session);
		String first = repeat.first().header(name);
		String second = repeat.second().header(name);
		Session.require(Objects.equals(first, second),
				() -> "the first response has " + name + ": " + first + ", and the repeat has " + second);
	}

	private static void requireHeaders(Session session) {
		for (Header header : Scenarios.repeat(session).first().headers()) {
			String name = header.name().toLowerCase(Locale.ROOT);
			if (!OF_THE_MESSAGE.contains(name) && !header.is(String.valueOf(session.marker()))) {
				requireHeader(session, name);
			}
		}
	}

	private static void requireRepeatAfter(Session session, Framing framing) {
		long before = session.requireEffects();
		Request request = session.request(Session.newKey());
		session.send(request.framed(framing));
		Response response = session.settle(request);
		Session.require(response.isSuccess(), () -> "the repeat gets " + response);
		Session.requireSame(response, session.settle(request));
		Scenarios.requireEffects(session.requireEffects() - before, 1);
	}

}
