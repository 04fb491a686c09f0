package io.idempotent.conformance;

import java.util.List;

import io.idempotent.conformance.Scenarios.Repeat;
import io.idempotent.conformance.Target.Option;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;

/**
 * Operations that fail.
 */
final class ErrorVectors {

	private static final String ENDS = "reference/recorded-responses.md";

	private ErrorVectors() {
	}

	static List<Vector> all() {
		return List.of(
				Vector
					.of("error.4xx-replayed",
							"An operation that ended with 4xx is not run again: the error is replayed")
					.ietf(SHOULD, "2.6")
					.stripe("error-low-level#content-errors")
					.acp(MUST, "6.3")
					.check((s) -> requireReplayed(s, Option.CLIENT_ERROR_URL, 4)),
				Vector.of("error.4xx-marked", "A replayed 4xx is marked as a repeat")
					.stripe("error-low-level#idempotency")
					.acp(SHOULD, "6.3")
					.check((s) -> requireMarked(s, Option.CLIENT_ERROR_URL)),
				Vector.of("error.4xx-released", "An operation that ended with 4xx is run again")
					.promise(ENDS, IDEMPOTENT)
					.check((s) -> requireRunAgain(s, Option.CLIENT_ERROR_URL, 4)),
				Vector
					.of("error.5xx-replayed",
							"An operation that ended with 5xx is not run again: the error is replayed")
					.ietf(SHOULD, "2.6")
					.stripe("error-low-level#server-errors")
					.check((s) -> requireReplayed(s, Option.SERVER_ERROR_URL, 5)),
				Vector.of("error.5xx-marked", "A replayed 5xx is marked as a repeat")
					.stripe("error-low-level#idempotency")
					.check((s) -> requireMarked(s, Option.SERVER_ERROR_URL)),
				Vector.of("error.5xx-released", "An operation that ended with 5xx is run again")
					.acp(MUST, "6.5")
					.promise(ENDS, IDEMPOTENT)
					.check((s) -> requireRunAgain(s, Option.SERVER_ERROR_URL, 5)),
				Vector.of("error.invalid-refused", "A body that cannot be read is refused with 4xx")
					.promise("http.md", Profile.values())
					.check((s) -> requireStatus(s.send(invalid(s, Session.newKey())), 4)),
				Vector.of("error.invalid-not-kept", "After a body that could not be read, the key is free")
					.stripe("api/idempotent_requests")
					.promise(ENDS, IDEMPOTENT, IETF, ACP)
					.check((s) -> {
						String key = Session.newKey();
						requireStatus(s.send(invalid(s, key)), 4);
						s.succeed(s.request(key));
					}),
				Vector.of("error.invalid-no-effect", "A body that cannot be read has no effect")
					.promise(ENDS, Profile.values())
					.check((s) -> {
						long before = s.requireEffects();
						s.send(invalid(s, Session.newKey()));
						Scenarios.requireEffects(s.requireEffects() - before, 0);
					}));
	}

	private static Request invalid(Session session, String key) {
		return session.withBody(session.request(key), "{");
	}

	private static Repeat failure(Session session, Option option, int hundreds) {
		Repeat failure = Scenarios.failure(session, option);
		requireStatus(failure.first(), hundreds);
		return failure;
	}

	private static void requireStatus(Response response, int hundreds) {
		Session.require(response.status() / 100 == hundreds, () -> "expected " + hundreds + "xx, got " + response);
	}

	private static void requireReplayed(Session session, Option option, int hundreds) {
		Repeat failure = failure(session, option, hundreds);
		Session.requireSame(failure.first(), failure.second());
	}

	private static void requireMarked(Session session, Option option) {
		Repeat failure = Scenarios.failure(session, option);
		Session.require(session.isMarked(failure.second()), () -> "the repeat has no header " + session.marker());
	}

	private static void requireRunAgain(Session session, Option option, int hundreds) {
		Repeat failure = failure(session, option, hundreds);
		Session.require(!Session.isSame(failure.first(), failure.second()) && !session.isMarked(failure.second()),
				() -> "the error is replayed: " + failure.second());
		requireStatus(failure.second(), hundreds);
	}

}
