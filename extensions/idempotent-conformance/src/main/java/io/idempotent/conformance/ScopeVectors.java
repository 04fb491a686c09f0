package io.idempotent.conformance;

import java.net.URI;
import java.util.List;

import io.idempotent.conformance.Target.Option;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;

/**
 * Where and for whom a key counts.
 */
final class ScopeVectors {

	private static final String CALLERS = "callers.md";

	private ScopeVectors() {
	}

	static List<Vector> all() {
		return List.of(
				Vector
					.of("scope.other-user", "Another user with the same key and content has an operation of their own")
					.acp(MUST, "6.1")
					.promise(CALLERS, IDEMPOTENT, IETF, STRIPE)
					.check(ScopeVectors::requireUsersApart),
				Vector.of("scope.other-user-other-content", "Another user may use the same key for another content")
					.acp(MUST, "6.1")
					.promise(CALLERS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> {
						Request request = s.request(Session.newKey());
						Request other = s.withBody(s.asOtherUser(request), s.target().require(Option.OTHER_BODY));
						s.succeed(request);
						Response response = s.send(other);
						Session.require(response.isSuccess(), () -> "the other user gets " + response);
					}),
				Vector.of("scope.first-user-kept", "The first user still gets the first response")
					.acp(MUST, "6.1")
					.promise(CALLERS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> {
						Request request = s.request(Session.newKey());
						Response first = s.succeed(request);
						s.send(s.asOtherUser(request));
						Session.requireSame(first, s.send(request));
					}),
				Vector.of("scope.other-path", "The same key on another path is another operation")
					.acp(MUST, "6.1")
					.promise("reference/keys.md", IDEMPOTENT, IETF)
					.check((s) -> {
						URI other = s.target().requireUrl(Option.OTHER_URL);
						String key = Session.newKey();
						Response first = s.succeed(s.request(key));
						Response second = s.send(s.keyed(s.post(other, s.target().body()), key));
						Session.require(second.isSuccess() && !Session.isSame(first, second),
								() -> "the other path responds " + second);
					}),
				Vector.of("scope.query", "Another query under a used key is another content")
					.promise("reference/keys.md", IDEMPOTENT, IETF, STRIPE)
					.check(ScopeVectors::requireQueryCounts),
				safe("scope.get", "A key has no effect in a GET request").check((s) -> requireUntouched(s, "GET")),
				safe("scope.head", "A key has no effect in a HEAD request").check((s) -> requireUntouched(s, "HEAD")),
				safe("scope.options", "A key has no effect in an OPTIONS request")
					.check((s) -> requireUntouched(s, "OPTIONS")),
				safe("scope.get-leaves-key", "A key that was sent in a GET request can be used").check((s) -> {
					URI url = s.target().requireUrl(Option.COUNT_URL);
					String key = Session.newKey();
					s.succeed(s.keyed(s.common(Request.without("GET", url)), key));
					Response first = s.succeed(s.request(key));
					Session.require(!s.isMarked(first), () -> "the first POST is marked as a repeat");
				}));
	}

	private static Vector.Builder safe(String id, String sentence) {
		return Vector.of(id, sentence).stripe("api/idempotent_requests").promise("http.md", IDEMPOTENT, IETF, ACP);
	}

	private static void requireUsersApart(Session session) {
		Request request = session.request(Session.newKey());
		Response first = session.succeed(request);
		Response second = session.send(session.asOtherUser(request));
		Session.require(second.isSuccess(), () -> "the other user gets " + second);
		Session.require(!session.isMarked(second) && !Session.isSame(first, second),
				() -> "the other user gets the response of the first: " + second);
	}

	private static void requireQueryCounts(Session session) {
		URI url = session.target().url();
		Request request = session.request(Session.newKey());
		session.succeed(request);
		URI other = URI.create(url + ((url.getRawQuery() == null) ? "?" : "&") + "conformance_extra=1");
		Response second = session
			.send(new Request(request.method(), other, request.headers(), request.body(), request.framing()));
		session.requireRefused(second, Profile.Refused.REUSED);
	}

	private static void requireUntouched(Session session, String method) {
		URI url = session.target().requireUrl(Option.COUNT_URL);
		Request request = session.common(Request.without(method, url));
		Response plain = session.send(request);
		Request keyed = session.keyed(request, Session.newKey());
		for (int i = 0; i < 2; i++) {
			Response response = session.send(keyed);
			Session.require(response.status() == plain.status() && !session.isMarked(response),
					() -> "without a key the response is " + plain.status() + ", with one " + response);
		}
	}

}
