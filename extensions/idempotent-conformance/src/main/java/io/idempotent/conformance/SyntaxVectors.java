package io.idempotent.conformance;

import java.util.List;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;

/**
 * Structured-field strings, bare values and opaque texts.
 */
final class SyntaxVectors {

	private static final String KEYS = "reference/keys.md";

	private SyntaxVectors() {
	}

	static List<Vector> all() {
		return List.of(
				Vector.of("syntax.quoted", "A key in quotes is accepted")
					.ietf(MUST, "2.1")
					.promise(KEYS, IDEMPOTENT, STRIPE, ACP)
					.check((s) -> KeyVectors.requireAccepted(s, '"' + Session.newKey() + '"')),
				Vector.of("syntax.bare", "A key without quotes is accepted")
					.stripe("api/idempotent_requests")
					.acp(MUST, "6.1")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> KeyVectors.requireAccepted(s, Session.newKey())),
				Vector.of("syntax.bare-refused", "A key without quotes is refused with 400")
					.ietf(SHOULD, "2.1")
					.check((s) -> KeyVectors.requireMalformed(s, Session.newKey())),
				Vector.of("syntax.quotes-do-not-count", "A key with and without quotes is one key")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> {
						String key = Session.newKey();
						KeyVectors.requireOneKey(s, key, '"' + key + '"');
					}),
				Vector.of("syntax.quotes-count", "Quotes are part of the key")
					.acp(MUST, "6.1")
					.promise(KEYS, STRIPE)
					.check((s) -> {
						String key = Session.newKey();
						KeyVectors.requireTwoKeys(s, key, '"' + key + '"');
					}),
				Vector.of("syntax.spaces-and-commas", "A key without quotes may contain spaces and commas")
					.acp(MUST, "6.1")
					.promise(KEYS, STRIPE)
					.check((s) -> KeyVectors.requireAccepted(s, "order 7, part 2 of " + Session.newKey())),
				Vector.of("syntax.joined", "Two keys that a proxy has joined by a comma are refused with 400")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "4.2")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> KeyVectors.requireMalformed(s,
							s.profile().spell(Session.newKey()) + ", " + s.profile().spell(Session.newKey()))),
				Vector.of("syntax.escapes", "Escaped quotes and backslashes are part of the key")
					.clause(IETF, MUST, Source.STRUCTURED_FIELDS, "3.3.3")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> KeyVectors.requireAccepted(s, "\"a\\\"b\\\\" + Session.newKey() + '"')),
				Vector.of("syntax.unknown-escape", "Any other escape is refused with 400")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "4.2.5")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> KeyVectors.requireMalformed(s, "\"a\\x" + Session.newKey() + '"')),
				Vector.of("syntax.unterminated", "A string without its closing quote is refused with 400")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "4.2.5")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> KeyVectors.requireMalformed(s, '"' + Session.newKey())),
				Vector.of("syntax.text-after-string", "Text after the string is refused with 400")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "4.2")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> KeyVectors.requireMalformed(s, '"' + Session.newKey() + "\"x")),
				Vector.of("syntax.parameters", "Parameters of the string are not part of the key")
					.clause(IETF, SHOULD, Source.STRUCTURED_FIELDS, "3.3")
					.promise(KEYS, IDEMPOTENT)
					.check((s) -> {
						String key = '"' + Session.newKey() + '"';
						KeyVectors.requireOneKey(s, key, key + ";a=1;b");
					}),
				Vector.of("syntax.number", "A number is refused with 400")
					.ietf(SHOULD, "2.1")
					.check((s) -> KeyVectors.requireMalformed(s, "42")),
				Vector.of("syntax.bytes", "A byte sequence is refused with 400")
					.ietf(SHOULD, "2.1")
					.check((s) -> KeyVectors.requireMalformed(s, ":YWJj:")),
				Vector.of("syntax.boolean", "A boolean is refused with 400")
					.ietf(SHOULD, "2.1")
					.check((s) -> KeyVectors.requireMalformed(s, "?1")));
	}

}
