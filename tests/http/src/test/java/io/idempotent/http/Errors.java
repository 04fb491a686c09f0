package io.idempotent.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Exceptions, what they are mapped to, {@code sendError} and {@code @ResponseStatus}.
 */
@Controller
@RequestMapping("/errors")
@ApiIdempotent
class Errors {

	private static final Map<String, Answer> ANSWERS = answers();

	static List<Twin> twins() {
		return List.of(Twin.of("sendError 404", Request.post("/errors/send-404")),
				Twin.of("sendError with a message", Request.post("/errors/send-message")),
				Twin.of("sendError to a browser", Request.post("/errors/send-message").header("Accept: text/html")),
				Twin.of("sendError after a write", Request.post("/errors/send-late")),
				Twin.of("sendError after a flush, which is too late", Request.post("/errors/send-too-late")),
				Twin.of("sendError 200", Request.post("/errors/send-200")),
				Twin.of("sendError 202", Request.post("/errors/send-202")),
				Twin.of("sendError 202 before a writer", Request.post("/errors/send-202-early")),
				Twin.of("sendError 202 before a writer, to a browser",
						Request.post("/errors/send-202-early").header("Accept: text/html")),
				Twin.of("sendError 202 before a writer in an encoding of its own",
						Request.post("/errors/send-202-encoded")),
				Twin.of("sendError before headers", Request.post("/errors/send-headers")),
				Twin.of("sendError 202 before headers", Request.post("/errors/send-202-headers")),
				Twin.of("sendError before a writer", Request.post("/errors/send-early")),
				Twin.of("request.authenticate", Request.post("/errors/authenticate")),
				Twin.of("sendError 500", Request.post("/errors/send-500")),
				Twin.of("@ResponseStatus", Request.post("/errors/status")),
				Twin.of("@ResponseStatus with a reason", Request.post("/errors/reason")),
				Twin.of("@ResponseStatus 4xx with a reason", Request.post("/errors/bad-reason")),
				Twin.of("an exception that has @ResponseStatus", Request.post("/errors/sold-out")),
				Twin.of("a ResponseStatusException", Request.post("/errors/response-status")),
				Twin.of("an ErrorResponseException", Request.post("/errors/error-response")),
				Twin.of("an exception that is mapped to 422", Request.post("/errors/mapped")),
				Twin.of("an exception that is mapped to 200", Request.post("/errors/mapped-to-200"))
					.repeated(Twin.Repeat.RUNS),
				Twin.of("an exception that is mapped by an advice", Request.post("/errors/advised")),
				Twin.of("an exception that is mapped to sendError", Request.post("/errors/mapped-to-send")),
				Twin.of("an exception that nobody maps", Request.post("/errors/broken")),
				Twin.of("an exception that nobody maps, to a browser",
						Request.post("/errors/broken").header("Accept: text/html")),
				Twin.of("an exception after a write", Request.post("/errors/broken-late")),
				Twin.of("an exception after more than is recorded", Request.post("/errors/broken-off"))
					.inHttp1Only()
					.repeated(Twin.Repeat.RUNS),
				Twin.of("an error", Request.post("/errors/error")),
				Twin.of("an exception that is checked", Request.post("/errors/checked")),
				Twin.of("a body that is no JSON", Request.post("/errors/needs-body").body("application/json", "{")),
				Twin.of("no body where one is needed", Request.of("POST", "/errors/needs-body")),
				Twin.of("a type that is not read", Request.post("/errors/needs-body").body("image/png", "x")),
				Twin.of("no parameter where one is needed", Request.post("/errors/needs-parameter")),
				Twin.of("a parameter of another type", Request.post("/errors/needs-parameter?count=many")),
				Twin.of("a method that is not mapped", Request.of("PUT", "/errors/broken")),
				Twin.of("a path that is not mapped", Request.post("/errors/no/where")));
	}

	private static void send(int status, HttpServletResponse response) throws IOException {
		response.sendError(status, "sold out");
		response.setHeader("X-Order-Id", "7");
		response.addHeader("X-Part", "one");
		response.setDateHeader("X-Date", 0);
	}

	private static Map<String, Answer> answers() {
		Map<String, Answer> answers = new HashMap<>();
		answers.put("send-404", (response) -> response.sendError(404));
		answers.put("send-message", (response) -> {
			response.setHeader("X-Order-Id", "7");
			response.sendError(409, "sold out");
		});
		answers.put("send-late", (response) -> {
			response.getWriter().write("dropped");
			response.sendError(409, "sold out");
		});
		answers.put("send-too-late", (response) -> {
			response.getOutputStream().print("seven");
			response.flushBuffer();
			try {
				response.sendError(409, "sold out");
			}
			catch (IllegalStateException ex) {
				response.getOutputStream().print(" is sent");
			}
		});
		answers.put("send-200", (response) -> response.sendError(200, "done"));
		answers.put("send-202", (response) -> response.sendError(202));
		answers.put("send-202-early", (response) -> {
			response.sendError(202);
			response.getWriter().write("dropped");
		});
		answers.put("send-202-encoded", (response) -> {
			response.setCharacterEncoding("ISO-8859-15");
			response.sendError(202, "later");
			response.getWriter().write("dropped");
		});
		answers.put("send-headers", (response) -> send(409, response));
		answers.put("send-202-headers", (response) -> send(202, response));
		answers.put("send-early", (response) -> {
			response.sendError(409, "sold out");
			response.getWriter().write("dropped");
		});
		answers.put("send-500", (response) -> response.sendError(500, "broken"));
		answers.put("broken-late", (response) -> {
			response.setHeader("X-Order-Id", "7");
			response.getWriter().write("dropped");
			throw new IllegalStateException("broken");
		});
		answers.put("broken-off", (response) -> {
			response.getOutputStream().write(new byte[100_000]);
			throw new IllegalStateException("broken");
		});
		answers.put("sold-out", (response) -> {
			throw new SoldOut();
		});
		answers.put("response-status", (response) -> {
			throw new ResponseStatusException(HttpStatus.GONE, "sold");
		});
		answers.put("error-response", (response) -> {
			throw new ErrorResponseException(HttpStatus.BAD_GATEWAY,
					ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, "no bank"), null);
		});
		answers.put("mapped", (response) -> {
			throw new IllegalArgumentException("no such article", new EOFException());
		});
		answers.put("mapped-to-200", (response) -> {
			throw new ArithmeticException("by zero");
		});
		answers.put("advised", (response) -> {
			throw new UnsupportedOperationException("not yet");
		});
		answers.put("mapped-to-send", (response) -> {
			throw new IndexOutOfBoundsException("seven");
		});
		answers.put("broken", (response) -> {
			throw new IllegalStateException("broken");
		});
		answers.put("error", (response) -> {
			throw new AssertionError("impossible");
		});
		return answers;
	}

	@PostMapping("/{way}")
	void answer(@PathVariable("way") String way, HttpServletResponse response) throws IOException {
		ANSWERS.get(way).write(response);
	}

	@PostMapping("/authenticate")
	void authenticate(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
		response.setHeader("X-Authenticated", String.valueOf(request.authenticate(response)));
	}

	@PostMapping("/status")
	@ResponseStatus(HttpStatus.CREATED)
	@ResponseBody
	String status() {
		return "seven";
	}

	@PostMapping("/reason")
	@ResponseStatus(code = HttpStatus.ACCEPTED, reason = "will be done")
	void reason() {
	}

	@PostMapping("/bad-reason")
	@ResponseStatus(code = HttpStatus.CONFLICT, reason = "sold out")
	void badReason() {
	}

	@PostMapping("/checked")
	void checked() throws Exception {
		throw new ReflectiveOperationException("no such method");
	}

	@PostMapping("/needs-body")
	@ResponseBody
	Parcel needsBody(@RequestBody Parcel parcel) {
		return parcel;
	}

	@PostMapping("/needs-parameter")
	@ResponseBody
	String needsParameter(@RequestParam("count") int count) {
		return "count " + count;
	}

	@ExceptionHandler
	ResponseEntity<String> unprocessable(IllegalArgumentException ex) {
		return ResponseEntity.unprocessableContent().header("X-Reason", "article").body(ex.getMessage());
	}

	@ExceptionHandler
	@ResponseBody
	String friendly(ArithmeticException ex) {
		return "error 17";
	}

	@ExceptionHandler
	void send(IndexOutOfBoundsException ex, HttpServletResponse response) throws IOException {
		response.sendError(416, ex.getMessage());
	}

	@ResponseStatus(code = HttpStatus.CONFLICT, reason = "sold out")
	private static final class SoldOut extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
