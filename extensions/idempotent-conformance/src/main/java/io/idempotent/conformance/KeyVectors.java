package io.idempotent.conformance;

import java.util.List;
import java.util.Locale;

import io.idempotent.conformance.Profile.Refused;
import io.idempotent.conformance.Scenarios.Repeat;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;

/**
 * How a key is written, and what is not one.
 */
final class KeyVectors {

	private static final String KEYS = "reference/keys.md";

	private KeyVectors() {
	}

	static List<Vector> all() {
		return List.of(
				Vector.of("key.missing", "A request without the key is refused with 400")
					.ietf(SHOULD, "2.7")
					.acp(MUST, "6.1")
					.promise("http.md", IDEMPOTENT)
					.check((s) -> s.requireRefused(Scenarios.missing(s).first(), Refused.MISSING)),
				Vector.of("key.missing-no-effect", "A request that is refused for want of a key has no effect")
					.ietf(SHOULD, "2.7")
					.acp(MUST, "6.1")
					.promise("http.md", IDEMPOTENT)
					.check((s) -> Scenarios.requireEffects(Scenarios.missing(s).effects(), 0)),
				Vector.of("key.optional", "A request without a key runs each time")
					.stripe("api/idempotent_requests")
					.check(KeyVectors::runsWithoutKey),
				Vector.of("key.empty", "An empty key is refused with 400")
					.ietf(SHOULD, "2.1")
					.acp(SHOULD, "6.1")
					.promise(KEYS, IDEMPOTENT, STRIPE)
					.check((s) -> requireMalformed(s, "")),
				Vector.of("key.empty-string", "An empty string in quotes is refused with 400")
					.promise(KEYS, IDEMPOTENT, IETF)
					.check((s) -> requireMalformed(s, "\"\"")),
				Vector.of("key.blank", "A key of spaces is refused with 400")
					.ietf(SHOULD, "2.1")
					.promise(KEYS, IDEMPOTENT, STRIPE, ACP)
					.check((s) -> requireMalformed(s, "   ")),
				Vector.of("key.overlong", "A key of 256 characters is refused with 400")
					.stripe("api/idempotent_requests")
					.acp(SHOULD, "6.1")
					.promise(KEYS, IDEMPOTENT, IETF)
					.check((s) -> requireMalformed(s, s.profile().spell(random(256)))),
				Vector.of("key.length-255", "A key of 255 characters is accepted")
					.stripe("api/idempotent_requests")
					.acp(MUST, "6.1")
					.promise(KEYS, IDEMPOTENT, IETF)
					.check((s) -> requireAccepted(s, s.profile().spell(random(255)))),
				Vector.of("key.length-counts", "Long keys that differ in their last character are two keys")
					.acp(MUST, "6.1")
					.stripe("api/idempotent_requests")
					.promise(KEYS, IDEMPOTENT, IETF)
					.check((s) -> {
						String key = random(254);
						requireTwoKeys(s, s.profile().spell(key + "a"), s.profile().spell(key + "b"));
					}),
				Vector.of("key.twice", "Two different keys in one request are refused with 400")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "4.2")
					.promise(KEYS, IDEMPOTENT, STRIPE, ACP)
					.check(KeyVectors::requireTwoRefused),
				Vector.of("key.name-lower-case", "The name of the header may be in lower case")
					.all(MUST, Source.HTTP, "5.1")
					.check((s) -> requireName(s, s.keyHeader().toLowerCase(Locale.ROOT))),
				Vector.of("key.name-upper-case", "The name of the header may be in upper case")
					.all(MUST, Source.HTTP, "5.1")
					.check((s) -> requireName(s, s.keyHeader().toUpperCase(Locale.ROOT))),
				Vector.of("key.space-around", "White space around the key does not count")
					.all(MUST, Source.HTTP, "5.5")
					.check((s) -> {
						String key = s.profile().spell(Session.newKey());
						requireOneKey(s, key, " \t" + key + "  ");
					}),
				Vector.of("key.case", "Keys in upper and lower case are two keys")
					.promise(KEYS, Profile.values())
					.check((s) -> {
						String key = "a" + Session.newKey();
						requireTwoKeys(s, s.profile().spell(key), s.profile().spell(key.toUpperCase(Locale.ROOT)));
					}),
				Vector.of("key.punctuation", "A key may contain punctuation")
					.ietf(MUST, "2.1")
					.acp(MUST, "6.1")
					.promise(KEYS, IDEMPOTENT, STRIPE)
					.check((s) -> requireAccepted(s, s.profile().spell("!#$%&'()*+-./:;<=>?@[]^_`{|}~" + random(8)))),
				Vector.of("key.short", "A key may be short")
					.ietf(MUST, "2.1")
					.acp(MUST, "6.1")
					.promise(KEYS, IDEMPOTENT, STRIPE)
					.check((s) -> requireAccepted(s, s.profile().spell(random(2)))),
				Vector.of("key.non-ascii", "A key with a character outside of ASCII is refused with 400")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "3.3.3")
					.promise(KEYS, IDEMPOTENT, STRIPE, ACP)
					.check((s) -> requireMalformed(s, s.profile().spell("caf\u00e9" + random(8)))),
				Vector.of("key.control-character", "A key with a control character is refused with 400")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "3.3.3")
					.promise(KEYS, IDEMPOTENT, STRIPE, ACP)
					.check((s) -> requireMalformed(s, s.profile().spell("a\tb" + random(8)))));
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
		Response response = session.send(session.request(Session.newKey())
			.adding(session.keyHeader(), session.profile().spell(Session.newKey())));
		session.requireRefused(response, Refused.MALFORMED);
	}

	private static void requireName(Session session, String name) {
		String key = Session.newKey();
		Response first = session.succeed(session.request(key));
		Request other = session.request().with(name, session.profile().spell(key));
		Session.requireSame(first, session.send(other));
	}

	static void requireAccepted(Session session, String header) {
		requireOneKey(session, header, header);
	}

	/** Two spellings of one key. */
	static void requireOneKey(Session session, String header, String other) {
		Response first = session.succeed(session.request().with(session.keyHeader(), header));
		Session.requireSame(first, session.send(session.request().with(session.keyHeader(), other)));
	}

	/** Two keys. */
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
