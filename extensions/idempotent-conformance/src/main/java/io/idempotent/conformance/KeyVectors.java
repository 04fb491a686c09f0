package io.idempotent.conformance;

import java.util.List;
import java.util.Locale;

import io.idempotent.conformance.Profile.Refused;
import io.idempotent.conformance.Scenarios.Repeat;
import io.idempotent.conformance.internal.Request;
import io.idempotent.conformance.internal.Response;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;
import static io.idempotent.conformance.Vector.Clause.acp;
import static io.idempotent.conformance.Vector.Clause.http;
import static io.idempotent.conformance.Vector.Clause.ietf;
import static io.idempotent.conformance.Vector.Clause.promise;
import static io.idempotent.conformance.Vector.Clause.stripe;
import static io.idempotent.conformance.Vector.Clause.structuredFields;

/** How a key is written, and what is not one. */
final class KeyVectors {

	private static final String KEYS = "reference/keys.md";

	private KeyVectors() {
	}

	static List<Vector> all() {
		return List.of(
				Vector.of("key.missing", "A request without the key is refused with 400")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.1"), promise("http.md", IDEMPOTENT))
					.check((s) -> s.requireRefused(Scenarios.missing(s).first(), Refused.MISSING)),
				Vector.of("key.missing-no-effect", "A request that is refused for want of a key has no effect")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.1"), promise("http.md", IDEMPOTENT))
					.check((s) -> Scenarios.requireEffects(Scenarios.missing(s).effects(), 0)),
				Vector.of("key.optional", "A request without a key runs each time")
					.requiredBy(stripe("api/idempotent_requests"))
					.check(KeyVectors::runsWithoutKey),
				Vector.of("key.empty", "An empty key is refused with 400")
					.requiredBy(ietf(SHOULD, "2.1"), acp(SHOULD, "6.1"), promise(KEYS))
					.check((s) -> requireMalformed(s, "")),
				Vector.of("key.empty-string", "An empty string in quotes is refused with 400")
					.requiredBy(promise(KEYS, IDEMPOTENT, IETF))
					.check((s) -> requireMalformed(s, "\"\"")),
				Vector.of("key.blank", "A key of spaces is refused with 400")
					.requiredBy(ietf(SHOULD, "2.1"), promise(KEYS))
					.check((s) -> requireMalformed(s, "   ")),
				Vector.of("key.overlong", "A key of 256 characters is refused with 400")
					.requiredBy(stripe("api/idempotent_requests"), acp(SHOULD, "6.1"), promise(KEYS))
					.check((s) -> requireMalformed(s, s.spell(random(256)))),
				Vector.of("key.length-255", "A key of 255 characters is accepted")
					.requiredBy(stripe("api/idempotent_requests"), acp(MUST, "6.1"), promise(KEYS))
					.check((s) -> requireAccepted(s, s.spell(random(255)))),
				Vector.of("key.length-counts", "Long keys that differ in their last character are two keys")
					.requiredBy(acp(MUST, "6.1"), stripe("api/idempotent_requests"), promise(KEYS))
					.check((s) -> {
						String key = random(254);
						requireTwoKeys(s, s.spell(key + "a"), s.spell(key + "b"));
					}),
				Vector.of("key.twice", "Two different keys in one request are refused with 400")
					.requiredBy(structuredFields(SHOULD, "4.2"), promise(KEYS))
					.check(KeyVectors::requireTwoRefused),
				Vector.of("key.name-lower-case", "The name of the header may be in lower case")
					.requiredBy(http("5.1"))
					.check((s) -> requireName(s, s.keyHeader().toLowerCase(Locale.ROOT))),
				Vector.of("key.name-upper-case", "The name of the header may be in upper case")
					.requiredBy(http("5.1"))
					.check((s) -> requireName(s, s.keyHeader().toUpperCase(Locale.ROOT))),
				Vector.of("key.space-around", "White space around the key does not count")
					.requiredBy(http("5.5"))
					.check((s) -> {
						String key = s.spell(Session.newKey());
						requireOneKey(s, key, " \t" + key + "  ");
					}),
				Vector.of("key.case", "Keys in upper and lower case are two keys")
					.requiredBy(promise(KEYS))
					.check((s) -> {
						String key = "a" + Session.newKey();
						requireTwoKeys(s, s.spell(key), s.spell(key.toUpperCase(Locale.ROOT)));
					}),
				Vector.of("key.punctuation", "A key may contain punctuation")
					.requiredBy(ietf(MUST, "2.1"), acp(MUST, "6.1"), promise(KEYS))
					.check((s) -> requireAccepted(s, s.spell("!#$%&'()*+-./:;<=>?@[]^_`{|}~" + random(8)))),
				Vector.of("key.short", "A key may be short")
					.requiredBy(ietf(MUST, "2.1"), acp(MUST, "6.1"), promise(KEYS))
					.check((s) -> requireAccepted(s, s.spell(random(2)))),
				Vector.of("key.non-ascii", "A key with a character outside of ASCII is refused with 400")
					.requiredBy(structuredFields(SHOULD, "3.3.3"), promise(KEYS))
					.check((s) -> requireMalformed(s, s.spell("caf\u00e9" + random(8)))),
				Vector.of("key.control-character", "A key with a control character is refused with 400")
					.requiredBy(structuredFields(SHOULD, "3.3.3"), promise(KEYS))
					.check((s) -> requireMalformed(s, s.spell("a\tb" + random(8)))));
	}

	static List<Vector> syntax() {
		return List.of(
				Vector.of("syntax.quoted", "A key in quotes is accepted")
					.requiredBy(ietf(MUST, "2.1"), promise(KEYS))
					.check((s) -> KeyVectors.requireAccepted(s, '"' + Session.newKey() + '"')),
				Vector.of("syntax.bare", "A key without quotes is accepted")
					.requiredBy(stripe("api/idempotent_requests"), acp(MUST, "6.1"), promise(KEYS, IDEMPOTENT))
					.check((s) -> KeyVectors.requireAccepted(s, Session.newKey())),
				Vector.of("syntax.bare-refused", "A key without quotes is refused with 400")
					.requiredBy(ietf(SHOULD, "2.1"))
					.check((s) -> KeyVectors.requireMalformed(s, Session.newKey())),
				Vector.of("syntax.quotes-do-not-count", "A key with and without quotes is one key")
					.requiredBy(promise(KEYS, IDEMPOTENT))
					.check((s) -> {
						String key = Session.newKey();
						KeyVectors.requireOneKey(s, key, '"' + key + '"');
					}),
				Vector.of("syntax.quotes-count", "Quotes are part of the key")
					.requiredBy(acp(MUST, "6.1"), promise(KEYS, STRIPE))
					.check((s) -> {
						String key = Session.newKey();
						KeyVectors.requireTwoKeys(s, key, '"' + key + '"');
					}),
				Vector.of("syntax.spaces-and-commas", "A key without quotes may contain spaces and commas")
					.requiredBy(acp(MUST, "6.1"), promise(KEYS, STRIPE))
					.check((s) -> KeyVectors.requireAccepted(s, "order 7, part 2 of " + Session.newKey())),
				Vector.of("syntax.joined", "Two keys that a proxy has joined by a comma are refused with 400")
					.requiredBy(structuredFields(SHOULD, "4.2"), promise(KEYS, IDEMPOTENT))
					.check((s) -> KeyVectors.requireMalformed(s,
							s.spell(Session.newKey()) + ", " + s.spell(Session.newKey()))),
				Vector.of("syntax.escapes", "Escaped quotes and backslashes are part of the key")
					.requiredBy(structuredFields(MUST, "3.3.3"), promise(KEYS, IDEMPOTENT))
					.check((s) -> KeyVectors.requireAccepted(s, "\"a\\\"b\\\\" + Session.newKey() + '"')),
				Vector.of("syntax.unknown-escape", "Any other escape is refused with 400")
					.requiredBy(structuredFields(SHOULD, "4.2.5"), promise(KEYS, IDEMPOTENT))
					.check((s) -> KeyVectors.requireMalformed(s, "\"a\\x" + Session.newKey() + '"')),
				Vector.of("syntax.unterminated", "A string without its closing quote is refused with 400")
					.requiredBy(structuredFields(SHOULD, "4.2.5"), promise(KEYS, IDEMPOTENT))
					.check((s) -> KeyVectors.requireMalformed(s, '"' + Session.newKey())),
				Vector.of("syntax.text-after-string", "Text after the string is refused with 400")
					.requiredBy(structuredFields(SHOULD, "4.2"), promise(KEYS, IDEMPOTENT))
					.check((s) -> KeyVectors.requireMalformed(s, '"' + Session.newKey() + "\"x")),
				Vector.of("syntax.parameters", "Parameters of the string are not part of the key")
					.requiredBy(structuredFields(SHOULD, "3.3"), promise(KEYS, IDEMPOTENT))
					.check((s) -> {
						String key = '"' + Session.newKey() + '"';
						KeyVectors.requireOneKey(s, key, key + ";a=1;b");
					}),
				Vector.of("syntax.number", "A number is refused with 400")
					.requiredBy(ietf(SHOULD, "2.1"))
					.check((s) -> KeyVectors.requireMalformed(s, "42")),
				Vector.of("syntax.bytes", "A byte sequence is refused with 400")
					.requiredBy(ietf(SHOULD, "2.1"))
					.check((s) -> KeyVectors.requireMalformed(s, ":YWJj:")),
				Vector.of("syntax.boolean", "A boolean is refused with 400")
					.requiredBy(ietf(SHOULD, "2.1"))
					.check((s) -> KeyVectors.requireMalformed(s, "?1")));
	}

	private static void runsWithoutKey(Session session) {
		Repeat missing = Scenarios.missing(session);
		Session.require(missing.first().isSuccess() && missing.second().isSuccess(),
				() -> "got " + missing.first() + " and " + missing.second());
		Session.require(!Session.isSame(missing.first(), missing.second()),
				() -> "two requests without a key got one response: " + missing.first());
	}

	static void requireMalformed(Session session, String header) {
		Long before = session.effects();
		Response response = session.send(session.request().with(session.keyHeader(), header));
		session.requireRefused(response, Refused.MALFORMED);
		if (before != null) {
			Scenarios.requireEffects(session.requireEffects() - before, 0);
		}
	}

	private static void requireTwoRefused(Session session) {
		Response response = session
			.send(session.request(Session.newKey()).adding(session.keyHeader(), session.spell(Session.newKey())));
		session.requireRefused(response, Refused.MALFORMED);
	}

	private static void requireName(Session session, String name) {
		String key = Session.newKey();
		Response first = session.succeed(session.request(key));
		Request other = session.request().with(name, session.spell(key));
		Session.requireSame(first, session.send(other));
	}

	static void requireAccepted(Session session, String header) {
		requireOneKey(session, header, header);
	}

	static void requireOneKey(Session session, String header, String other) {
		Response first = session.succeed(session.request().with(session.keyHeader(), header));
		Session.requireSame(first, session.send(session.request().with(session.keyHeader(), other)));
	}

	static void requireTwoKeys(Session session, String header, String other) {
		Response first = session.succeed(session.request().with(session.keyHeader(), header));
		Response second = session.succeed(session.request().with(session.keyHeader(), other));
		Session.require(!Session.isSame(first, second),
				() -> "the second key got the response of the first: " + second);
	}

	static String random(int length) {
		StringBuilder key = new StringBuilder();
		while (key.length() < length) {
			key.append(Session.newKey().replace("-", ""));
		}
		return key.substring(0, length);
	}

}
