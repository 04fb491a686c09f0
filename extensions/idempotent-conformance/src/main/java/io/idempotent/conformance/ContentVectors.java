package io.idempotent.conformance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.idempotent.conformance.Profile.Refused;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;

/**
 * Which two contents are equal, and what another content under a used key gets.
 */
final class ContentVectors {

	private static final String KEYS = "reference/keys.md";

	private ContentVectors() {
	}

	static List<Vector> all() {
		return List.of(
				reused("content.other-refused", "Another content under a used key is refused")
					.check((s) -> s.requireRefused(Scenarios.reuse(s).other(), Refused.REUSED)),
				reused("content.other-no-effect", "Another content under a used key has no effect")
					.check((s) -> Scenarios.requireEffects(Scenarios.reuse(s).effects(), 1)),
				Vector.of("content.first-kept", "After such a refusal the first content still gets its response")
					.ietf(SHOULD, "2.6")
					.acp(MUST, "6.3")
					.stripe("api/idempotent_requests")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> Session.requireSame(Scenarios.reuse(s).first(), Scenarios.reuse(s).again())),
				Vector.of("content.not-marked", "Such a refusal is not marked as a repeat")
					.promise(KEYS, IDEMPOTENT, STRIPE, ACP)
					.check((s) -> Session.require(!s.isMarked(Scenarios.reuse(s).other()),
							() -> "the refusal has the header " + s.marker() + ": true")),
				reused("content.empty", "No content under a used key is refused")
					.check((s) -> requireOther(s, (body) -> "")),
				Vector.of("content.member-order", "The order of the members of an object does not count")
					.acp(MUST, "6.2")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireEqual(s, ContentVectors::reordered)),
				Vector.of("content.white-space", "White space between JSON values does not count")
					.acp(MUST, "6.2")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireEqual(s,
							(body) -> "\n  " + Json.write(members(body)).replace(":", " :\t") + "\r\n")),
				Vector.of("content.escapes", "The escapes in a string do not count")
					.acp(MUST, "6.2")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireEqual(s, ContentVectors::escaped)),
				Vector.of("content.numbers-by-value", "Numbers are compared by value: 1 and 1.0 are equal")
					.acp(MUST, "6.2")
					.check((s) -> requireEqual(s, ContentVectors::withDecimals)),
				Vector.of("content.numbers-as-written", "Numbers are compared as they are written: 1 and 1.0 differ")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireOther(s, ContentVectors::withDecimals)),
				Vector.of("content.null", "A member that is null is not a missing one")
					.acp(MUST, "6.2")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireOther(s, (body) -> withMember(body, new Json.Literal("null")))),
				Vector.of("content.more-members", "A further member is another content, known or not")
					.acp(MUST, "6.7")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireOther(s, (body) -> withMember(body, "x"))),
				Vector.of("content.fewer-members", "A missing member is another content")
					.acp(MUST, "6.2")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireOther(s, ContentVectors::withoutLast)),
				Vector.of("content.array-order", "The order of the elements of an array counts")
					.acp(MUST, "6.2")
					.promise(KEYS, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> requireOther(s, ContentVectors::withReversedArray)),
				Vector.of("content.large", "A body of 100 KB is accepted, and compared")
					.promise(KEYS, Profile.values())
					.check((s) -> requireEqual(s, (body) -> body + " ".repeat(100_000))),
				Vector.of("content.charset", "The charset parameter of the content type does not count")
					.promise(KEYS, Profile.values())
					.check((s) -> {
						members(s.target().body());
						Request request = s.request(Session.newKey());
						Response first = s.succeed(request);
						Session.requireSame(first,
								s.send(request.with("Content-Type", "application/json;charset=UTF-8")));
					}));
	}

	private static Vector.Builder reused(String id, String sentence) {
		return Vector.of(id, sentence)
			.ietf(SHOULD, "2.7")
			.acp(MUST, "6.4")
			.stripe("api/idempotent_requests")
			.promise("http.md", IDEMPOTENT);
	}

	private static void requireEqual(Session session, Function<String, String> variation) {
		String other = variation.apply(session.target().body());
		Request request = session.request(Session.newKey());
		Response first = session.succeed(request);
		Session.requireSame(first, session.send(session.withBody(request, other)));
	}

	private static void requireOther(Session session, Function<String, String> variation) {
		String other = variation.apply(session.target().body());
		Request request = session.request(Session.newKey());
		session.succeed(request);
		session.requireRefused(session.send(session.withBody(request, other)), Refused.REUSED);
	}

	private static Map<String, Object> members(String body) {
		Map<String, Object> members = Json.object(body);
		if (members.isEmpty()) {
			throw new NotRun("needs a body that is a JSON object");
		}
		return new LinkedHashMap<>(members);
	}

	private static String reordered(String body) {
		Map<String, Object> members = members(body);
		if (members.size() < 2) {
			throw new NotRun("needs a body with two members");
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
			.replaceFirst("\"" + java.util.regex.Pattern.quote(name) + "\"",
					java.util.regex.Matcher.quoteReplacement('"' + first + name.substring(1) + '"'));
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
			throw new NotRun("needs a body with an integer");
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
		throw new NotRun("needs a body with an array of two different elements");
	}

}
