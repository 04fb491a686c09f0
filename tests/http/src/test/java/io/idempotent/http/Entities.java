package io.idempotent.http;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.idempotent.ApiIdempotent;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code ResponseEntity} in all its forms, and what else carries status and headers.
 */
@RestController
@RequestMapping("/entities")
@ApiIdempotent
class Entities {

	private static final Map<String, Supplier<ResponseEntity<?>>> ANSWERS = answers();

	static List<Twin> twins() {
		return List.of(Twin.of("201 with a location", Request.post("/entities/created")),
				Twin.of("202 without a body", Request.post("/entities/accepted")),
				Twin.of("204", Request.post("/entities/no-content")),
				Twin.of("205", Request.post("/entities/reset-content")),
				Twin.of("200 without a body", Request.post("/entities/empty")),
				Twin.of("a status of its own", Request.post("/entities/own-status")),
				Twin.of("a status that HTTP does not know", Request.post("/entities/unknown-status"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a body and its length", Request.post("/entities/length")),
				Twin.of("headers of its own, some of them twice", Request.post("/entities/headers")),
				Twin.of("a cookie", Request.post("/entities/cookie")),
				Twin.of("rules for caches", Request.post("/entities/cache")),
				Twin.of("entity tag and date, unconditionally", Request.get("/entities/tagged")),
				Twin.of("304 by its entity tag", Request.get("/entities/tagged").header("If-None-Match: \"v1\""))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("412 by its entity tag", Request.post("/entities/tagged").header("If-Match: \"v0\"")),
				Twin.of("304 by the handler itself", Request.get("/entities/not-modified"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("303 to elsewhere", Request.post("/entities/see-other")),
				Twin.of("an HttpEntity", Request.post("/entities/entity")),
				Twin.of("headers and nothing else", Request.post("/entities/only-headers")),
				Twin.of("404 of an empty Optional", Request.post("/entities/of-optional")),
				Twin.of("409 with a body", Request.post("/entities/conflict")),
				Twin.of("503 with a body", Request.post("/entities/unavailable")),
				Twin.of("a ProblemDetail", Request.post("/entities/problem")),
				Twin.of("an entity of a ProblemDetail", Request.post("/entities/entity-of-problem")),
				Twin.of("an ErrorResponse", Request.post("/entities/error-response")),
				Twin.of("a ProblemDetail with status 200", Request.post("/entities/friendly-problem")),
				Twin.of("a header of 70 KB", Request.post("/entities/huge-header"))
					.inHttp1Only()
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE));
	}

	private static Map<String, Supplier<ResponseEntity<?>>> answers() {
		Map<String, Supplier<ResponseEntity<?>>> answers = new HashMap<>();
		answers.put("created",
				() -> ResponseEntity.created(URI.create("/orders/7")).contentType(MediaType.TEXT_PLAIN).body("seven"));
		answers.put("accepted", () -> ResponseEntity.accepted().build());
		answers.put("no-content", () -> ResponseEntity.noContent().header("X-Order-Id", "7").build());
		answers.put("reset-content", () -> ResponseEntity.status(HttpStatus.RESET_CONTENT).build());
		answers.put("empty", () -> ResponseEntity.ok().build());
		answers.put("own-status", () -> ResponseEntity.status(299).body("nearly"));
		answers.put("unknown-status", () -> ResponseEntity.status(799).body("what"));
		answers.put("length",
				() -> ResponseEntity.ok()
					.contentLength(3)
					.contentType(MediaType.APPLICATION_PDF)
					.body(new byte[] { 1, 2, 3 }));
		answers.put("headers",
				() -> ResponseEntity.ok()
					.header("X-Order-Id", "7")
					.header("X-Part", "one", "two")
					.header("Link", "</a>; rel=\"next\"", "</b>; rel=\"prev\"")
					.header("X-Empty", "")
					.body("seven"));
		answers.put("cookie", () -> ResponseEntity.ok()
			.header(HttpHeaders.SET_COOKIE,
					ResponseCookie.from("basket", "7").path("/").httpOnly(true).sameSite("Lax").build().toString())
			.body("seven"));
		answers.put("cache",
				() -> ResponseEntity.ok()
					.cacheControl(CacheControl.maxAge(Duration.ofMinutes(1)).cachePrivate())
					.varyBy("Accept-Language")
					.body("seven"));
		answers.put("tagged",
				() -> ResponseEntity.ok().eTag("v1").lastModified(Instant.ofEpochSecond(1_000_000_000)).body("seven"));
		answers.put("not-modified", () -> ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag("v1").build());
		answers.put("see-other",
				() -> ResponseEntity.status(HttpStatus.SEE_OTHER).location(URI.create("/orders/7?paid=true")).build());
		answers.put("of-optional", () -> ResponseEntity.of(Optional.empty()));
		answers.put("conflict",
				() -> ResponseEntity.status(HttpStatus.CONFLICT).header("X-Order-Id", "7").body("sold out"));
		answers.put("unavailable",
				() -> ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).header("Retry-After", "9").body("later"));
		answers.put("entity-of-problem",
				() -> ResponseEntity.of(ProblemDetail.forStatus(HttpStatus.NOT_FOUND)).build());
		answers.put("huge-header", () -> ResponseEntity.ok().header("Link", "x".repeat(70_000)).body("seven"));
		return answers;
	}

	@RequestMapping("/{way}")
	@ApiIdempotent
	ResponseEntity<?> answer(@PathVariable("way") String way) {
		return ANSWERS.get(way).get();
	}

	@PostMapping("/entity")
	HttpEntity<String> entity() {
		HttpHeaders headers = new HttpHeaders();
		headers.set("X-Order-Id", "7");
		return new HttpEntity<>("seven", headers);
	}

	@PostMapping("/only-headers")
	HttpHeaders onlyHeaders() {
		HttpHeaders headers = new HttpHeaders();
		headers.set("X-Order-Id", "7");
		return headers;
	}

	@PostMapping("/problem")
	ProblemDetail problem() {
		return ProblemDetail.forStatusAndDetail(HttpStatus.UNPROCESSABLE_CONTENT, "no such article");
	}

	@PostMapping("/error-response")
	ErrorResponse errorResponse() {
		return ErrorResponse.builder(new IllegalStateException(), HttpStatus.GONE, "sold")
			.header("X-Order-Id", "7")
			.build();
	}

	@PostMapping("/friendly-problem")
	ProblemDetail friendlyProblem() {
		return ProblemDetail.forStatusAndDetail(HttpStatus.OK, "all is well");
	}

}
