package io.idempotent.conformance;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.conformance.Profile.Refused;
import io.idempotent.conformance.Target.Option;
import io.idempotent.conformance.Vector.Draft;
import io.idempotent.conformance.internal.Json;
import io.idempotent.conformance.internal.Request;
import io.idempotent.conformance.internal.Response;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;
import static io.idempotent.conformance.Vector.Clause.acp;
import static io.idempotent.conformance.Vector.Clause.ietf;
import static io.idempotent.conformance.Vector.Clause.promise;
import static io.idempotent.conformance.Vector.Clause.stripe;

/** Equal and other contents under one key, and where and for whom a key counts. */
final class ContentVectors {

	private static final String KEYS = "reference/keys.md";

	private static final String CALLERS = "callers.md";

	private ContentVectors() {
	}

	static List<Vector> all() {
		return List.of(
				reused("content.other-refused", "Another content under a used key is refused")
					.check((s) -> s.requireRefused(Scenarios.reuse(s).other(), Refused.REUSED)),
				reused("content.other-no-effect", "Another content under a used key has no effect")
					.check((s) -> Scenarios.requireEffects(Scenarios.reuse(s).effects(), 1)),
				Vector.of("content.first-kept", "After such a refusal the first content still gets its response")
					.requiredBy(ietf(SHOULD, "2.6"), acp(MUST, "6.3"), stripe("api/idempotent_requests"), promise(KEYS))
					.check((s) -> Session.requireSame(Scenarios.reuse(s).first(), Scenarios.reuse(s).again())),
				Vector.of("content.not-marked", "Such a refusal is not marked as a repeat")
					.requiredBy(promise(KEYS, IDEMPOTENT, STRIPE, ACP))
					.check((s) -> s.requireNotMarked(Scenarios.reuse(s).other())),
				reused("content.empty", "No content under a used key is refused")
					.check((s) -> requireOther(s, (body) -> "")),
				Vector.of("content.member-order", "The order of the members of an object does not count")
					.requiredBy(acp(MUST, "6.2"), promise(KEYS))
					.check((s) -> requireEqual(s, ContentVectors::reordered)),
				Vector.of("content.white-space", "White space between JSON values does not count")
					.requiredBy(acp(MUST, "6.2"), promise(KEYS))
					.check((s) -> requireEqual(s, ContentVectors::spaced)),
				Vector.of("content.escapes", "The escapes in a string do not count")
					.requiredBy(acp(MUST, "6.2"), promise(KEYS))
					.check((s) -> requireEqual(s, ContentVectors::escaped)),
				Vector.of("content.numbers-by-value", "Numbers are compared by value: 1 and 1.0 are equal")
					.requiredBy(acp(MUST, "6.2"))
					.check((s) -> requireEqual(s, ContentVectors::withDecimals)),
				Vector.of("content.numbers-as-written", "Numbers are compared as they are written: 1 and 1.0 differ")
					.requiredBy(promise(KEYS, IDEMPOTENT, IETF, STRIPE))
					.check((s) -> requireOther(s, ContentVectors::withDecimals)),
				Vector.of("content.null", "A member that is null is not a missing one")
					.requiredBy(acp(MUST, "6.2"), promise(KEYS))
					.check((s) -> requireOther(s, (body) -> withMember(body, new Json.Literal("null")))),
				Vector.of("content.more-members", "A further member is another content, known or not")
					.requiredBy(acp(MUST, "6.7"), promise(KEYS))
					.check((s) -> requireOther(s, (body) -> withMember(body, "x"))),
				Vector.of("content.fewer-members", "A missing member is another content")
					.requiredBy(acp(MUST, "6.2"), promise(KEYS))
					.check((s) -> requireOther(s, ContentVectors::withoutLast)),
				Vector.of("content.array-order", "The order of the elements of an array counts")
					.requiredBy(acp(MUST, "6.2"), promise(KEYS))
					.check((s) -> requireOther(s, ContentVectors::withReversedArray)),
				Vector.of("content.large", "A body of 100 KB is accepted, and compared")
					.requiredBy(promise(KEYS))
					.check((s) -> requireEqual(s, (body) -> body + " ".repeat(100_000))),
				Vector.of("content.charset", "The charset parameter of the content type does not count")
					.requiredBy(promise(KEYS))
					.check((s) -> {
						members(s.target().body());
						s.requireSame((request) -> request.with("Content-Type", "application/json;charset=UTF-8"));
					}));
	}

	static List<Vector> scope() {
		return List.of(
				Vector
					.of("scope.other-user", "Another user with the same key and content has an operation of their own")
					.requiredBy(acp(MUST, "6.1"), promise(CALLERS))
					.check(ContentVectors::requireUsersApart),
				Vector.of("scope.other-user-other-content", "Another user may use the same key for another content")
					.requiredBy(acp(MUST, "6.1"), promise(CALLERS))
					.check((s) -> {
						Request request = s.request(Session.newKey());
						Request other = s.withOtherBody(s.asOtherUser(request));
						s.succeed(request);
						Response response = s.send(other);
						Session.require(response.isSuccess(), () -> "the other user gets " + response);
					}),
				Vector.of("scope.first-user-kept", "The first user still gets the first response")
					.requiredBy(acp(MUST, "6.1"), promise(CALLERS))
					.check((s) -> {
						Request request = s.request(Session.newKey());
						Response first = s.succeed(request);
						s.send(s.asOtherUser(request));
						Session.requireSame(first, s.send(request));
					}),
				Vector.of("scope.other-path", "The same key on another path is another operation")
					.requiredBy(acp(MUST, "6.1"), promise(KEYS, IDEMPOTENT, IETF))
					.check((s) -> {
						Request other = s.post(s.url(Option.OTHER_URL));
						String key = Session.newKey();
						Response first = s.succeed(s.request(key));
						Response second = s.send(s.keyed(other, key));
						Session.require(second.isSuccess() && !Session.isSame(first, second),
								() -> "the other path responds " + second);
					}),
				Vector.of("scope.query", "Another query under a used key is another content")
					.requiredBy(promise(KEYS, IDEMPOTENT, IETF, STRIPE))
					.check(ContentVectors::requireQueryCounts),
				safe("scope.get", "A key has no effect in a GET request").check((s) -> requireUntouched(s, "GET")),
				safe("scope.head", "A key has no effect in a HEAD request").check((s) -> requireUntouched(s, "HEAD")),
				safe("scope.options", "A key has no effect in an OPTIONS request")
					.check((s) -> requireUntouched(s, "OPTIONS")),
				safe("scope.get-leaves-key", "A key that was sent in a GET request can be used").check((s) -> {
					String key = Session.newKey();
					s.succeed(s.keyed(s.get(Option.COUNT_URL), key));
					s.requireNotMarked(s.succeed(s.request(key)));
				}));
	}

	private static Draft reused(String id, String sentence) {
		return Vector.of(id, sentence)
			.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.4"), stripe("api/idempotent_requests"), promise("http.md"));
	}

	private static void requireEqual(Session session, Function<String, String> variation) {
		String other = variation.apply(session.target().body());
		session.requireSame((request) -> request.withBody(other));
	}

	private static void requireOther(Session session, Function<String, String> variation) {
		String other = variation.apply(session.target().body());
		Request request = session.request(Session.newKey());
		session.succeed(request);
		session.requireRefused(session.send(request.withBody(other)), Refused.REUSED);
	}

	private static Map<String, Object> members(String body) {
		Map<String, Object> members = Json.object(body);
		if (members.isEmpty()) {
			throw Session.notRun("needs a body that is a JSON object");
		}
		return new LinkedHashMap<>(members);
	}

	private static String spaced(String body) {
		String space = " \t\r\n";
		return space + Json.write(members(body), space) + space;
	}

	private static String reordered(String body) {
		Map<String, Object> members = members(body);
		if (members.size() < 2) {
			throw Session.notRun("needs a body with two members");
		}
		List<String> names = new ArrayList<>(members.keySet());
		Collections.reverse(names);
		Map<String, Object> reordered = new LinkedHashMap<>();
		names.forEach((name) -> reordered.put(name, members.getOrDefault(name, "")));
		return Json.write(reordered);
	}

	private static String escaped(String body) {
		String name = members(body).keySet().iterator().next();
		String first = String.format("\\u%04x", (int) name.charAt(0));
		return Json.write(members(body))
			.replaceFirst("\"" + Pattern.quote(name) + "\"",
					Matcher.quoteReplacement('"' + first + name.substring(1) + '"'));
	}

	private static String withDecimals(String body) {
		Map<String, Object> members = members(body);
		boolean[] found = new boolean[1];
		members.replaceAll((name, value) -> {
			boolean integer = value instanceof Json.Literal literal && literal.isInteger();
			found[0] |= integer;
			return integer ? new Json.Literal(value + ".0") : value;
		});
		if (!found[0]) {
			throw Session.notRun("needs a body with an integer");
		}
		return Json.write(members);
	}

	private static String withMember(String body, Object value) {
		Map<String, Object> members = members(body);
		members.put("conformance_extra", value);
		return Json.write(members);
	}

	private static String withoutLast(String body) {
		Map<String, Object> members = members(body);
		List<String> names = new ArrayList<>(members.keySet());
		members.remove(names.get(names.size() - 1));
		return Json.write(members);
	}

	private static String withReversedArray(String body) {
		Map<String, Object> members = members(body);
		for (Map.Entry<String, Object> member : members.entrySet()) {
			if (member.getValue() instanceof List<?> list && list.size() > 1) {
				List<Object> reversed = new ArrayList<>(list);
				Collections.reverse(reversed);
				if (!reversed.equals(list)) {
					member.setValue(reversed);
					return Json.write(members);
				}
			}
		}
		throw Session.notRun("needs a body with an array of two different elements");
	}

	private static Draft safe(String id, String sentence) {
		return Vector.of(id, sentence).requiredBy(stripe("api/idempotent_requests"), promise("http.md"));
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
		session.requireRefused(session.send(request.withUrl(other)), Refused.REUSED);
	}

	private static void requireUntouched(Session session, String method) {
		Request request = session.common(Request.of(method, session.url(Option.COUNT_URL)));
		Response plain = session.send(request);
		Request keyed = session.keyed(request, Session.newKey());
		for (int i = 0; i < 2; i++) {
			Response response = session.send(keyed);
			Session.require(response.status() == plain.status() && !session.isMarked(response),
					() -> "without a key the response is " + plain.status() + ", with one " + response);
		}
	}

}
