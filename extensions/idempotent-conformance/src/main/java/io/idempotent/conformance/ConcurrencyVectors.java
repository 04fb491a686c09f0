package io.idempotent.conformance;

import java.util.List;

import io.idempotent.conformance.Profile.Refused;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.ACP;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;

/**
 * Requests at the same time, and repeats of one that is running.
 */
final class ConcurrencyVectors {

	private static final String GUARANTEES = "guarantees.md";

	private ConcurrencyVectors() {
	}

	static List<Vector> all() {
		return List.of(
				Vector.of("concurrent.one-effect", "Of eight requests at once, one has an effect")
					.acp(MUST, "6.3")
					.promise(GUARANTEES, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> Scenarios.requireEffects(Scenarios.burst(s).effects(), 1)),
				Vector.of("concurrent.one-response", "All that succeed get one response")
					.acp(MUST, "6.3")
					.promise(GUARANTEES, IDEMPOTENT, IETF, STRIPE)
					.check((s) -> Scenarios.burst(s)
						.all()
						.stream()
						.filter(Response::isSuccess)
						.forEach((response) -> Session.requireSame(Scenarios.burst(s).winner(), response))),
				Vector.of("concurrent.others-conflict", "The others get 409")
					.ietf(SHOULD, "2.7")
					.acp(MUST, "6.4")
					.stripe("error-low-level#status-codes")
					.promise("http.md", IDEMPOTENT)
					.check((s) -> Scenarios.burst(s)
						.all()
						.stream()
						.filter((response) -> !response.isSuccess())
						.forEach((response) -> s.requireRefused(response, Refused.IN_PROGRESS))),
				Vector.of("in-progress.conflict", "A repeat of a running request gets 409")
					.ietf(SHOULD, "2.6")
					.acp(MUST, "6.4")
					.stripe("error-low-level#status-codes")
					.promise("http.md", IDEMPOTENT)
					.check((s) -> s.requireRefused(Scenarios.running(s).loser(), Refused.IN_PROGRESS)),
				Vector.of("in-progress.retry-after", "That response has a Retry-After header in seconds")
					.acp(SHOULD, "6.4")
					.promise("http.md", IDEMPOTENT, IETF, STRIPE)
					.check(ConcurrencyVectors::requireRetryAfter),
				Vector.of("in-progress.one-effect", "A repeat of a running request has no effect")
					.ietf(SHOULD, "2.6")
					.acp(MUST, "6.3")
					.promise(GUARANTEES, IDEMPOTENT, STRIPE)
					.check((s) -> Scenarios.requireEffects(Scenarios.running(s).effects(), 1)),
				Vector.of("in-progress.then-replayed", "A repeat after its end gets the response")
					.ietf(SHOULD, "2.6")
					.acp(MUST, "6.3")
					.stripe("api/idempotent_requests")
					.promise(GUARANTEES, IDEMPOTENT)
					.check((s) -> Session.requireSame(Scenarios.running(s).winner(), Scenarios.running(s).after())),
				Vector.of("in-progress.not-marked", "That 409 is not marked as a repeat")
					.promise("http.md", IDEMPOTENT, STRIPE, ACP)
					.check((s) -> Session.require(!s.isMarked(Scenarios.running(s).loser()),
							() -> "the refusal has the header " + s.marker() + ": true")),
				Vector.of("in-progress.other-content", "Another content under the key of a running request is refused")
					.ietf(SHOULD, "2.7")
					.acp(MUST, "6.4")
					.stripe("api/idempotent_requests")
					.promise("http.md", IDEMPOTENT)
					.check(ConcurrencyVectors::requireOtherRefused),
				Vector.of("in-progress.other-content-no-effect", "Such a request has no effect")
					.ietf(SHOULD, "2.7")
					.acp(MUST, "6.3")
					.promise(GUARANTEES, IDEMPOTENT, STRIPE)
					.check((s) -> Scenarios.requireEffects(Scenarios.runningOther(s).effects(), 1)));
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

}
