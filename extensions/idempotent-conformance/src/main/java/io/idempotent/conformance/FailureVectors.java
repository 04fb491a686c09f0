package io.idempotent.conformance;

import java.util.List;

import io.idempotent.conformance.Profile.Refused;
import io.idempotent.conformance.Scenarios.Repeat;
import io.idempotent.conformance.Target.Option;
import io.idempotent.conformance.internal.Request;
import io.idempotent.conformance.internal.Response;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.STRIPE;
import static io.idempotent.conformance.Vector.Clause.acp;
import static io.idempotent.conformance.Vector.Clause.ietf;
import static io.idempotent.conformance.Vector.Clause.promise;
import static io.idempotent.conformance.Vector.Clause.stripe;

/** Simultaneous requests, repeats of a running one, and operations that fail. */
final class FailureVectors {

	private static final String GUARANTEES = "guarantees.md";

	private static final String ENDS = "reference/recorded-responses.md";

	private FailureVectors() {
	}

	static List<Vector> concurrency() {
		return List.of(
				Vector.of("concurrent.one-effect", "Of eight requests at once, one has an effect")
					.requiredBy(acp(MUST, "6.3"), promise(GUARANTEES))
					.check((s) -> Scenarios.requireEffects(Scenarios.burst(s).effects(), 1)),
				Vector.of("concurrent.one-response", "All that succeed get one response")
					.requiredBy(acp(MUST, "6.3"), promise(GUARANTEES))
					.check((s) -> Scenarios.burst(s)
						.all()
						.stream()
						.filter(Response::isSuccess)
						.forEach((response) -> Session.requireSame(Scenarios.burst(s).winner(), response))),
				Vector.of("concurrent.others-conflict", "The others get 409")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.4"), stripe("error-low-level#status-codes"),
							promise("http.md"))
					.check((s) -> Scenarios.burst(s)
						.losers()
						.forEach((response) -> s.requireRefused(response, Refused.IN_PROGRESS))),
				Vector.of("in-progress.conflict", "A repeat of a running request gets 409")
					.requiredBy(ietf(SHOULD, "2.6"), acp(MUST, "6.4"), stripe("error-low-level#status-codes"),
							promise("http.md"))
					.check((s) -> s.requireRefused(Scenarios.running(s).loser(), Refused.IN_PROGRESS)),
				Vector.of("in-progress.retry-after", "That response has a Retry-After header in seconds")
					.requiredBy(acp(SHOULD, "6.4"), promise("http.md"))
					.check(FailureVectors::requireRetryAfter),
				Vector.of("in-progress.one-effect", "A repeat of a running request has no effect")
					.requiredBy(ietf(SHOULD, "2.6"), acp(MUST, "6.3"), promise(GUARANTEES))
					.check((s) -> Scenarios.requireEffects(Scenarios.running(s).effects(), 1)),
				Vector.of("in-progress.then-replayed", "A repeat after its end gets the response")
					.requiredBy(ietf(SHOULD, "2.6"), acp(MUST, "6.3"), stripe("api/idempotent_requests"),
							promise(GUARANTEES))
					.check((s) -> Session.requireSame(Scenarios.running(s).winner(), Scenarios.running(s).after())),
				Vector.of("in-progress.not-marked", "That 409 is not marked as a repeat")
					.requiredBy(promise("http.md", IDEMPOTENT, STRIPE, ACP))
					.check((s) -> s.requireNotMarked(Scenarios.running(s).loser())),
				Vector.of("in-progress.other-content", "Another content under the key of a running request is refused")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.4"), stripe("api/idempotent_requests"),
							promise("http.md"))
					.check(FailureVectors::requireOtherRefused),
				Vector.of("in-progress.other-content-no-effect", "Such a request has no effect")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.3"), promise(GUARANTEES))
					.check((s) -> Scenarios.requireEffects(Scenarios.runningOther(s).effects(), 1)));
	}

	static List<Vector> errors() {
		return List.of(
				Vector
					.of("error.4xx-replayed",
							"An operation that ended with 4xx is not run again: the error is replayed")
					.requiredBy(ietf(SHOULD, "2.6"), stripe("error-low-level#content-errors"), acp(MUST, "6.3"))
					.check((s) -> requireReplayed(s, Option.CLIENT_ERROR_URL, 4)),
				Vector.of("error.4xx-marked", "A replayed 4xx is marked as a repeat")
					.requiredBy(stripe("error-low-level#idempotency"), acp(SHOULD, "6.3"))
					.check((s) -> requireMarked(s, Option.CLIENT_ERROR_URL)),
				Vector.of("error.4xx-released", "An operation that ended with 4xx is run again")
					.requiredBy(promise(ENDS, IDEMPOTENT))
					.check((s) -> requireRunAgain(s, Option.CLIENT_ERROR_URL, 4)),
				Vector
					.of("error.5xx-replayed",
							"An operation that ended with 5xx is not run again: the error is replayed")
					.requiredBy(ietf(SHOULD, "2.6"), stripe("error-low-level#server-errors"))
					.check((s) -> requireReplayed(s, Option.SERVER_ERROR_URL, 5)),
				Vector.of("error.5xx-marked", "A replayed 5xx is marked as a repeat")
					.requiredBy(stripe("error-low-level#idempotency"))
					.check((s) -> requireMarked(s, Option.SERVER_ERROR_URL)),
				Vector.of("error.5xx-released", "An operation that ended with 5xx is run again")
					.requiredBy(acp(MUST, "6.5"), promise(ENDS, IDEMPOTENT))
					.check((s) -> requireRunAgain(s, Option.SERVER_ERROR_URL, 5)),
				Vector.of("error.invalid-refused", "A body that cannot be read is refused with 4xx")
					.requiredBy(promise("http.md"))
					.check((s) -> requireStatus(s.send(invalid(s, Session.newKey())), 4)),
				Vector.of("error.invalid-not-kept", "After a body that could not be read, the key is free")
					.requiredBy(stripe("api/idempotent_requests"), promise(ENDS))
					.check((s) -> {
						String key = Session.newKey();
						requireStatus(s.send(invalid(s, key)), 4);
						s.succeed(s.request(key));
					}),
				Vector.of("error.invalid-no-effect", "A body that cannot be read has no effect")
					.requiredBy(promise(ENDS))
					.check((s) -> {
						long before = s.requireEffects();
						s.send(invalid(s, Session.newKey()));
						Scenarios.requireEffects(s.requireEffects() - before, 0);
					}));
	}

	private static void requireRetryAfter(Session session) {
		String after = Scenarios.running(session).loser().header("Retry-After");
		Session.require(after != null && after.matches("[0-9]+"), () -> "Retry-After is " + after);
	}

	private static void requireOtherRefused(Session session) {
		Response refused = Scenarios.runningOther(session).loser();
		Session.require(refused.status() == 409 || refused.status() == session.profile().reusedStatus(),
				() -> "the other content gets " + refused);
	}

	private static Request invalid(Session session, String key) {
		return session.request(key).withBody("{");
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
