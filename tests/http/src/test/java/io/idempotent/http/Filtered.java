package io.idempotent.http;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.view.RedirectView;

/**
 * Answers that filters, advice, CORS and the container change on their way.
 */
@RestController
@RequestMapping("/filtered")
@ApiIdempotent
class Filtered {

	static List<Twin> twins() {
		Request cors = Request.post("/filtered/cors");
		return List.of(Twin.of("an entity tag by a filter", Request.get("/filtered/tagged")),
				Twin.of("304 by a filter",
						Request.get("/filtered/tagged").header("If-None-Match: \"0dbd2c0b1fc1e6fdbb8a5ac3ff3b50eb7\"")),
				Twin.of("an entity tag by a filter, of an empty body", Request.get("/filtered/tagged-empty")),
				Twin.of("an entity tag by a filter, of a flushed body", Request.get("/filtered/tagged-flushed")),
				Twin.of("no entity tag by a filter, of a POST", Request.post("/filtered/tagged-post")),
				Twin.of("a body that a filter rewrites", Request.post("/filtered/shouted")),
				Twin.of("headers of a filter, before and after", Request.post("/filtered/stamped")),
				Twin.of("headers of a filter, after JSON", Request.post("/filtered/stamped/json")),
				Twin.of("headers of a filter, after an empty body", Request.post("/filtered/stamped/empty")),
				Twin.of("headers of a filter, after no content", Request.post("/filtered/stamped/no-content")),
				Twin.of("headers of a filter, after created without a body", Request.post("/filtered/stamped/created")),
				Twin.of("headers of a filter, after a redirect", Request.post("/filtered/stamped/redirected")),
				Twin.of("headers of a filter, after the head of JSON", Request.of("HEAD", "/filtered/stamped/head")),
				Twin.of("a header of an interceptor", Request.post("/filtered/intercepted")),
				Twin.of("a header of an interceptor beside a view", Request.post("/filtered/intercepted-view")),
				Twin.of("a body that an advice wraps", Request.post("/filtered/advised")),
				Twin.of("a compressed body", Request.post("/filtered/long-text").header("Accept-Encoding: gzip")),
				Twin.of("compressed JSON", Request.post("/filtered/long-json").header("Accept-Encoding: gzip")),
				Twin.of("a compressed stream", Request.post("/filtered/long-stream").header("Accept-Encoding: gzip")),
				Twin.of("a body too short to be compressed",
						Request.post("/bodies/text").header("Accept-Encoding: gzip")),
				Twin.of("a compressed body of the handler's own",
						Request.post("/filtered/own-gzip").header("Accept-Encoding: gzip")),
				Twin.of("CORS", cors.header("Origin: https://shop.example")),
				Twin.of("CORS from a forbidden origin", cors.header("Origin: https://evil.example")), Twin
					.of("CORS preflight",
							Request.of("OPTIONS", "/filtered/cors")
								.header("Origin: https://shop.example")
								.header("Access-Control-Request-Method: POST"))
					.repeated(Twin.Repeat.RUNS));
	}

	@GetMapping("/tagged")
	@ApiIdempotent
	String tagged() {
		return "seven";
	}

	@GetMapping("/tagged-empty")
	@ApiIdempotent
	void taggedEmpty() {
	}

	@GetMapping("/tagged-flushed")
	@ApiIdempotent
	void taggedFlushed(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("seven");
		response.flushBuffer();
		response.getOutputStream().print(" and eight");
	}

	@PostMapping("/tagged-post")
	String taggedPost() {
		return "seven";
	}

	@PostMapping("/shouted")
	ResponseEntity<String> shouted() {
		return ResponseEntity.accepted().header("X-Order-Id", "7").body("seven");
	}

	@PostMapping("/stamped")
	String stamped() {
		return "seven";
	}

	@PostMapping("/stamped/json")
	Map<String, Integer> stampedJson() {
		return Map.of("order", 7);
	}

	@PostMapping("/stamped/empty")
	void stampedEmpty() {
	}

	@PostMapping("/stamped/no-content")
	ResponseEntity<Void> stampedNoContent() {
		return ResponseEntity.noContent().build();
	}

	@PostMapping("/stamped/created")
	ResponseEntity<Void> stampedCreated() {
		return ResponseEntity.created(URI.create("/orders/7")).build();
	}

	@PostMapping("/stamped/redirected")
	RedirectView stampedRedirected() {
		return new RedirectView("/orders/7");
	}

	@GetMapping("/stamped/head")
	@ApiIdempotent
	Map<String, Integer> stampedHead() {
		return Map.of("order", 7);
	}

	@PostMapping("/intercepted")
	String intercepted() {
		return "seven";
	}

	@PostMapping("/intercepted-view")
	ModelAndView interceptedView() {
		return new ModelAndView("page", "order", 7);
	}

	@PostMapping("/advised")
	Wrapped advised() {
		return new Wrapped("seven");
	}

	@PostMapping(path = "/long-text", produces = "text/plain;charset=UTF-8")
	String longText() {
		return "seven ".repeat(2000);
	}

	@PostMapping("/long-json")
	Map<String, String> longJson() {
		return Map.of("text", "seven ".repeat(2000));
	}

	@PostMapping("/long-stream")
	void longStream(HttpServletResponse response) throws IOException {
		response.setContentType("text/plain");
		for (int i = 0; i < 500; i++) {
			response.getOutputStream().print("line " + i + "\n");
		}
	}

	@PostMapping("/own-gzip")
	ResponseEntity<byte[]> ownGzip() {
		return ResponseEntity.ok().header("Content-Encoding", "gzip").body(new byte[] { 31, -117, 8, 0 });
	}

	@PostMapping("/cors")
	@CrossOrigin(origins = "https://shop.example", exposedHeaders = "X-Order-Id", allowCredentials = "true")
	ResponseEntity<String> cors() {
		return ResponseEntity.ok().header("X-Order-Id", "7").body("seven");
	}

	record Wrapped(String content) {
	}

}
