package io.idempotent.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;

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
class Errors {

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
				Twin.of("a path that is not mapped", Request.post("/errors/nowhere")));
	}

	@PostMapping("/send-404")
	@ApiIdempotent
	void send404(HttpServletResponse response) throws IOException {
		response.sendError(404);
	}

	@PostMapping("/send-message")
	@ApiIdempotent
	void sendMessage(HttpServletResponse response) throws IOException {
		response.setHeader("X-Order-Id", "7");
		response.sendError(409, "sold out");
	}

	@PostMapping("/send-late")
	@ApiIdempotent
	void sendLate(HttpServletResponse response) throws IOException {
		response.getWriter().write("dropped");
		response.sendError(409, "sold out");
	}

	@PostMapping("/send-too-late")
	@ApiIdempotent
	void sendTooLate(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("seven");
		response.flushBuffer();
		try {
			response.sendError(409, "sold out");
		}
		catch (IllegalStateException ex) {
			response.getOutputStream().print(" is sent");
		}
	}

	@PostMapping("/send-200")
	@ApiIdempotent
	void send200(HttpServletResponse response) throws IOException {
		response.sendError(200, "done");
	}

	@PostMapping("/send-202")
	@ApiIdempotent
	void send202(HttpServletResponse response) throws IOException {
		response.sendError(202);
	}

	@PostMapping("/send-202-early")
	@ApiIdempotent
	void send202Early(HttpServletResponse response) throws IOException {
		response.sendError(202);
		response.getWriter().write("dropped");
	}

	@PostMapping("/send-202-encoded")
	@ApiIdempotent
	void send202Encoded(HttpServletResponse response) throws IOException {
		response.setCharacterEncoding("ISO-8859-15");
		response.sendError(202, "later");
		response.getWriter().write("dropped");
	}

	@PostMapping("/send-headers")
	@ApiIdempotent
	void sendHeaders(HttpServletResponse response) throws IOException {
		send(409, response);
	}

	@PostMapping("/send-202-headers")
	@ApiIdempotent
	void send202Headers(HttpServletResponse response) throws IOException {
		send(202, response);
	}

	private static void send(int status, HttpServletResponse response) throws IOException {
		response.sendError(status, "sold out");
		response.setHeader("X-Order-Id", "7");
		response.addHeader("X-Part", "one");
		response.setDateHeader("X-Date", 0);
	}

	@PostMapping("/send-early")
	@ApiIdempotent
	void sendEarly(HttpServletResponse response) throws IOException {
		response.sendError(409, "sold out");
		response.getWriter().write("dropped");
	}

	@PostMapping("/authenticate")
	@ApiIdempotent
	void authenticate(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
		response.setHeader("X-Authenticated", String.valueOf(request.authenticate(response)));
	}

	@PostMapping("/send-500")
	@ApiIdempotent
	void send500(HttpServletResponse response) throws IOException {
		response.sendError(500, "broken");
	}

	@PostMapping("/status")
	@ApiIdempotent
	@ResponseStatus(HttpStatus.CREATED)
	@ResponseBody
	String status() {
		return "seven";
	}

	@PostMapping("/reason")
	@ApiIdempotent
	@ResponseStatus(code = HttpStatus.ACCEPTED, reason = "will be done")
	void reason() {
	}

	@PostMapping("/bad-reason")
	@ApiIdempotent
	@ResponseStatus(code = HttpStatus.CONFLICT, reason = "sold out")
	void badReason() {
	}

	@PostMapping("/sold-out")
	@ApiIdempotent
	void soldOut() {
		throw new SoldOut();
	}

	@PostMapping("/response-status")
	@ApiIdempotent
	void responseStatus() {
		throw new ResponseStatusException(HttpStatus.GONE, "sold");
	}

	@PostMapping("/error-response")
	@ApiIdempotent
	void errorResponse() {
		throw new ErrorResponseException(HttpStatus.BAD_GATEWAY,
				ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, "no bank"), null);
	}

	@PostMapping("/mapped")
	@ApiIdempotent
	void mapped() {
		throw new IllegalArgumentException("no such article", new EOFException());
	}

	@PostMapping("/mapped-to-200")
	@ApiIdempotent
	void mappedTo200() {
		throw new ArithmeticException("by zero");
	}

	@PostMapping("/advised")
	@ApiIdempotent
	void advised() {
		throw new UnsupportedOperationException("not yet");
	}

	@PostMapping("/mapped-to-send")
	@ApiIdempotent
	void mappedToSend() {
		throw new IndexOutOfBoundsException("seven");
	}

	@PostMapping("/broken")
	@ApiIdempotent
	void broken() {
		throw new IllegalStateException("broken");
	}

	@PostMapping("/broken-late")
	@ApiIdempotent
	void brokenLate(HttpServletResponse response) throws IOException {
		response.setHeader("X-Order-Id", "7");
		response.getWriter().write("dropped");
		throw new IllegalStateException("broken");
	}

	@PostMapping("/broken-off")
	@ApiIdempotent
	void brokenOff(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(new byte[100_000]);
		throw new IllegalStateException("broken");
	}

	@PostMapping("/error")
	@ApiIdempotent
	void error() {
		throw new AssertionError("impossible");
	}

	@PostMapping("/checked")
	@ApiIdempotent
	void checked() throws Exception {
		throw new ReflectiveOperationException("no such method");
	}

	@PostMapping("/needs-body")
	@ApiIdempotent
	@ResponseBody
	Parcel needsBody(@RequestBody Parcel parcel) {
		return parcel;
	}

	@PostMapping("/needs-parameter")
	@ApiIdempotent
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
