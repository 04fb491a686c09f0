package io.idempotent.conformance;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.idempotent.conformance.Profile.Refused;
import io.idempotent.conformance.Target.Option;
import io.idempotent.conformance.internal.Json;
import io.idempotent.conformance.internal.Request;
import io.idempotent.conformance.internal.Response;
import org.jspecify.annotations.Nullable;

import static io.idempotent.conformance.Level.MUST;
import static io.idempotent.conformance.Level.SHOULD;
import static io.idempotent.conformance.Profile.IDEMPOTENT;
import static io.idempotent.conformance.Profile.IETF;
import static io.idempotent.conformance.Profile.STRIPE;
import static io.idempotent.conformance.Vector.Clause.acp;
import static io.idempotent.conformance.Vector.Clause.ietf;
import static io.idempotent.conformance.Vector.Clause.problems;
import static io.idempotent.conformance.Vector.Clause.promise;
import static io.idempotent.conformance.Vector.Clause.stripe;

/** What refusals look like, what responses carry, and what is documented. */
final class RefusalVectors {

	private static final String RESPONSES = "reference/http-responses.md";

	private RefusalVectors() {
	}

	static List<Vector> all() {
		return List.of(
				Vector.of("refusal.missing-type", "The refusal of a missing key has the media type of errors")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.1"), promise(RESPONSES, IDEMPOTENT))
					.check((s) -> requireType(s, Scenarios.missing(s).first())),
				Vector.of("refusal.missing-code", "The refusal of a missing key has its code")
					.requiredBy(acp(MUST, "6.1"), promise(RESPONSES, IDEMPOTENT))
					.check((s) -> requireCode(s, Scenarios.missing(s).first(), Refused.MISSING)),
				Vector.of("refusal.missing-link", "The refusal of a missing key links to documentation")
					.requiredBy(ietf(SHOULD, "2.7"))
					.check((s) -> requireLink(Scenarios.missing(s).first())),
				Vector.of("refusal.malformed-type", "The refusal of a malformed key has the media type of errors")
					.requiredBy(promise(RESPONSES))
					.check((s) -> requireType(s, malformed(s))),
				Vector.of("refusal.malformed-code", "The refusal of a malformed key has its code")
					.requiredBy(promise(RESPONSES, IDEMPOTENT))
					.check((s) -> requireCode(s, malformed(s), Refused.MALFORMED)),
				Vector.of("refusal.reused-type", "The refusal of a used key has the media type of errors")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.4"), stripe("api/errors"), promise(RESPONSES))
					.check((s) -> requireType(s, Scenarios.reuse(s).other())),
				Vector.of("refusal.reused-code", "The refusal of a used key has its code")
					.requiredBy(acp(MUST, "6.4"), stripe("api/errors"), promise(RESPONSES, IDEMPOTENT))
					.check((s) -> requireCode(s, Scenarios.reuse(s).other(), Refused.REUSED)),
				Vector.of("refusal.reused-link", "The refusal of a used key links to documentation")
					.requiredBy(ietf(SHOULD, "2.7"))
					.check((s) -> requireLink(Scenarios.reuse(s).other())),
				Vector.of("refusal.in-progress-type", "The refusal of a running request has the media type of errors")
					.requiredBy(ietf(SHOULD, "2.7"), acp(MUST, "6.4"), stripe("api/errors"), promise(RESPONSES))
					.check((s) -> requireType(s, Scenarios.running(s).loser())),
				Vector.of("refusal.in-progress-code", "The refusal of a running request has its code")
					.requiredBy(acp(MUST, "6.4"), promise(RESPONSES, IDEMPOTENT, STRIPE))
					.check((s) -> requireCode(s, Scenarios.running(s).loser(), Refused.IN_PROGRESS)),
				Vector.of("refusal.in-progress-described", "The refusal of a running request describes the problem")
					.requiredBy(ietf(SHOULD, "2.7"), promise(RESPONSES, IDEMPOTENT))
					.check((s) -> requireText(Scenarios.running(s).loser(), "title")),
				Vector.of("refusal.members", "A refusal has the members of its format")
					.requiredBy(problems(SHOULD, "3.1", IETF), acp(MUST, "3"), stripe("api/errors"), promise(RESPONSES))
					.check(RefusalVectors::requireMembers),
				Vector.of("refusal.status-member", "The status in a problem document is that of the response")
					.requiredBy(problems(MUST, "3.1.2", IETF, IDEMPOTENT))
					.check((s) -> {
						Response refusal = Scenarios.reuse(s).other();
						Object status = Json.object(refusal.text()).get("status");
						Session.require(status == null || status.toString().equals(Integer.toString(refusal.status())),
								() -> "the document has the status " + status);
					}),
				Vector.of("refusal.not-cached", "A refusal must not be cached")
					.requiredBy(promise(RESPONSES))
					.check((s) -> {
						String control = Scenarios.reuse(s).other().header("Cache-Control");
						Session.require(control != null && control.contains("no-store"),
								() -> "Cache-Control is " + control);
					}),
				Vector.of("refusal.language", "A refusal is in the language of the client, if it is known")
					.requiredBy(promise(RESPONSES))
					.check((s) -> requireLanguage(s)),
				Vector.of("refusal.page", "A browser gets a page").requiredBy(promise(RESPONSES)).check((s) -> {
					Request request = s.request().with(s.keyHeader(), "\u00e9").with("Accept", "text/html");
					Response page = s.send(request);
					Session.require(page.mediaType().equals("text/html"), () -> "got " + page.mediaType());
				}),
				Vector.of("echo.first", "The first response has the key of its request")
					.requiredBy(acp(MUST, "3"))
					.check((s) -> {
						Request request = s.request(Session.newKey());
						requireEcho(s, request, s.succeed(request));
					}),
				Vector.of("echo.replay", "A repeat has the key of its request")
					.requiredBy(acp(MUST, "3"))
					.check((s) -> {
						Request request = s.request(Session.newKey());
						s.succeed(request);
						requireEcho(s, request, s.succeed(request));
					}),
				Vector.of("echo.refusal", "A refusal has the key of its request")
					.requiredBy(acp(MUST, "3"))
					.check((s) -> {
						Request request = s.request(Session.newKey());
						s.succeed(request);
						requireEcho(s, request, s.send(s.withOtherBody(request)));
					}),
				Vector.of("echo.error", "An error has the key of its request").requiredBy(acp(MUST, "3")).check((s) -> {
					Request request = s.request(Option.SERVER_ERROR_URL);
					requireEcho(s, request, s.send(request));
				}),
				Vector.of("expiry.documented", "The expiry of keys is documented")
					.requiredBy(ietf(MUST, "2.5"))
					.check((s) -> {
						String text = s.succeed(s.get(Option.DOCUMENTATION_URL)).text();
						Session.require(text.matches("(?is).*(expir|retention|retained|hours|days).*"),
								() -> "the page does not mention how long keys are kept");
					}));
	}

	private static Response malformed(Session session) {
		return session.once("malformed",
				() -> session.send(session.request().with(session.keyHeader(), session.spell(KeyVectors.random(256)))));
	}

	private static void requireType(Session session, Response response) {
		Session.require(response.mediaType().equals(session.profile().errorType()),
				() -> "the media type is " + response.mediaType());
	}

	private static void requireCode(Session session, Response response, Refused refused) {
		Object code = switch (session.profile()) {
			case STRIPE -> error(response).get("type");
			case IDEMPOTENT, IETF, ACP -> Json.object(response.text()).get("code");
		};
		Session.require(code != null && code.equals(session.profile().code(refused)),
				() -> "expected " + session.profile().code(refused) + ", got " + response);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> error(Response response) {
		return (Json.object(response.text()).get("error") instanceof Map<?, ?> error) ? (Map<String, Object>) error
				: Map.of();
	}

	private static void requireLink(Response response) {
		String link = response.header("Link");
		Object type = Json.object(response.text()).get("type");
		Session.require(isAddress(type) || (link != null && link.contains("describedby")),
				() -> "neither a Link header nor a type with an address: " + response);
	}

	private static boolean isAddress(@Nullable Object type) {
		return type != null && type.toString().matches("https?://.+");
	}

	private static void requireMembers(Session session) {
		Response refusal = Scenarios.reuse(session).other();
		switch (session.profile()) {
			case IDEMPOTENT, IETF -> {
				requireText(refusal, "type");
				requireText(refusal, "title");
				requireText(refusal, "detail");
			}
			case STRIPE -> {
				Session.require(error(refusal).get("type") instanceof String, () -> "no error.type: " + refusal);
				Session.require(error(refusal).get("message") instanceof String, () -> "no error.message: " + refusal);
			}
			case ACP -> {
				Session.require("invalid_request".equals(Json.object(refusal.text()).get("type")),
						() -> "the type is not invalid_request: " + refusal);
				requireText(refusal, "message");
			}
		}
	}

	private static void requireText(Response response, String member) {
		Session.require(Json.object(response.text()).get(member) instanceof String text && !text.isBlank(),
				() -> "no " + member + ": " + response);
	}

	private static void requireLanguage(Session session) {
		Response refusal = session
			.send(session.request().with(session.keyHeader(), "\u00e9").with("Accept-Language", "zh-CN"));
		String actual = refusal.header("Content-Language");
		Session.require(actual != null && actual.startsWith("zh"), () -> "Content-Language is " + actual);
	}

	private static void requireEcho(Session session, Request request, Response response) {
		String header = session.keyHeader();
		Session.require(Objects.equals(request.header(header), response.header(header)),
				() -> header + " is " + response.header(header) + " in " + response);
	}

}
