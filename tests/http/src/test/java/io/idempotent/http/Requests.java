package io.idempotent.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/**
 * Requests of all kinds, whose handlers say what they have read.
 */
@RestController
@RequestMapping("/requests")
@ApiIdempotent
class Requests {

	private static final String FORM = "application/x-www-form-urlencoded";

	static final String PARTS = """
			--next
			Content-Disposition: form-data; name="file"; filename="a.txt"
			Content-Type: text/plain

			content of a file
			--next
			Content-Disposition: form-data; name="parcel"
			Content-Type: application/json

			{"street":"Elm Street","weight":7}
			--next--
			""".replace("\n", "\r\n");

	static List<Twin> twins() {
		Request parts = Request.post("/requests/parts").body("multipart/form-data; boundary=next", PARTS);
		return List.of(
				Twin.of("a body as text", Request.post("/requests/text").body("text/plain;charset=UTF-8", "für")),
				Twin.of("a body as text in UTF-16",
						Request.post("/requests/text")
							.body("text/plain;charset=UTF-16", "für".getBytes(StandardCharsets.UTF_16))),
				Twin.of("a body as a stream", Request.post("/requests/stream")),
				Twin.of("a body as a reader", Request.post("/requests/reader").body("text/plain;charset=UTF-8", "für")),
				Twin.of("a body as a reader, in no encoding that it could be",
						Request.post("/requests/reader")
							.body("text/plain;charset=UTF-8", "für".getBytes(StandardCharsets.ISO_8859_1))),
				Twin.of("no body", Request.of("POST", "/requests/stream")),
				Twin.of("a body in chunks", Request.post("/requests/stream").header("Transfer-Encoding: chunked"))
					.inHttp1Only(),
				Twin.of("a body that waits for a go-ahead",
						Request.post("/requests/stream").header("Expect: 100-continue"))
					.inHttp1Only(),
				Twin.of("a form", Request.post("/requests/form?a=1").body(FORM, "a=2&b=%C3%BC&c=")),
				Twin.of("a form as a body", Request.post("/requests/text").body(FORM, "a=2&b=%C3%BC")),
				Twin.of("a form by PUT", Request.of("PUT", "/requests/put").body(FORM, "a=2&b=%C3%BC")),
				Twin.of("a form by PUT, read as parameters",
						Request.of("PUT", "/requests/put-form").body(FORM, "a=2&b=%C3%BC")),
				Twin.of("a field without a value by PUT", Request.of("PUT", "/requests/put-form").body(FORM, "a=2&b")),
				Twin.of("nothing but a field without a value by PUT",
						Request.of("PUT", "/requests/put-form").body(FORM, "b")),
				Twin.of("a field without a value", Request.post("/requests/form?a").body(FORM, "b")),
				Twin.of("parts", parts),
				Twin.of("parts by hand",
						Request.post("/requests/parts-by-hand").body("multipart/form-data; boundary=next", PARTS)),
				Twin.of("a part that is missing",
						Request.post("/requests/parts").body("multipart/form-data; boundary=next", "--next--\r\n")),
				Twin.of("a part that is too large",
						Request.post("/requests/parts")
							.body("multipart/form-data; boundary=next",
									PARTS.replace("content of a file", "x".repeat(1_200_000))))
					.inHttp1Only(),
				Twin.of("parts without a boundary", Request.post("/requests/parts").body("multipart/form-data", PARTS)),
				// Spring MVC reads them before it knows the handler.
				Twin.of("parts that break off",
						Request.post("/requests/parts")
							.body("multipart/form-data; boundary=next", PARTS.substring(0, 100)))
					.repeated(Twin.Repeat.RUNS),
				Twin.of("PUT", Request.of("PUT", "/requests/put").body("text/plain", "x")),
				Twin.of("PATCH", Request.of("PATCH", "/requests/patch").body("text/plain", "x")),
				Twin.of("DELETE", Request.of("DELETE", "/requests/delete")),
				Twin.of("GET", Request.get("/requests/get")),
				Twin.of("HEAD of a GET", Request.of("HEAD", "/requests/get")),
				Twin.of("HEAD of a GET of much", Request.of("HEAD", "/requests/get-much")),
				Twin.of("HEAD of a GET that writes", Request.of("HEAD", "/requests/get-written")),
				Twin.of("HEAD by a handler", Request.of("HEAD", "/requests/head")),
				Twin.of("OPTIONS by Spring", Request.of("OPTIONS", "/requests/put")).repeated(Twin.Repeat.RUNS),
				Twin.of("OPTIONS by a handler", Request.of("OPTIONS", "/requests/options")),
				Twin.of("HTTP/1.0", Request.post("/requests/stream").version("HTTP/1.0")).inHttp1Only(),
				Twin.of("HTTP/1.0 and a length of its own", Request.get("/requests/get").version("HTTP/1.0"))
					.inHttp1Only(),
				Twin.of("HTTP/1.0 that keeps the connection",
						Request.get("/requests/get").version("HTTP/1.0").header("Connection: keep-alive"))
					.inHttp1Only(),
				Twin.of("JSON to HTTP/1.0", Request.post("/bodies/record").version("HTTP/1.0")).inHttp1Only(),
				Twin.of("a connection to be closed", Request.get("/requests/get").header("Connection: close"))
					.inHttp1Only(),
				Twin.of("the caller's name", Request.get("/requests/caller")));
	}

	@PostMapping("/text")
	String text(@RequestBody String body) {
		return "read: " + body;
	}

	@PostMapping("/stream")
	String stream(HttpServletRequest request) throws IOException {
		String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return body + " " + request.getContentLength() + " " + request.getContentType() + " "
				+ request.getInputStream().isFinished() + request.getInputStream().read();
	}

	@PostMapping("/reader")
	String reader(HttpServletRequest request) throws IOException {
		return request.getReader().readLine() + " " + request.getCharacterEncoding();
	}

	@PostMapping("/form")
	String form(HttpServletRequest request, @RequestParam("b") String b) {
		return Arrays.toString(request.getParameterValues("a")) + b + request.getParameterMap().keySet();
	}

	@PostMapping("/parts")
	String parts(@RequestPart("file") MultipartFile file, @RequestPart("parcel") Parcel parcel) throws IOException {
		return file.getOriginalFilename() + file.getContentType() + new String(file.getBytes(), StandardCharsets.UTF_8)
				+ parcel;
	}

	@PostMapping("/parts-by-hand")
	String partsByHand(HttpServletRequest request) throws IOException, ServletException {
		return request.getParts().size() + request.getPart("file").getSubmittedFileName()
				+ request.getParameter("parcel");
	}

	@PostMapping("/parts-caught")
	ResponseEntity<String> partsCaught(HttpServletRequest request) {
		try {
			return ResponseEntity.ok(request.getParts().size() + " parts");
		}
		catch (IOException | ServletException | IllegalStateException ex) {
			return ResponseEntity.status(413).body("too much");
		}
	}

	@PostMapping("/parts-unread")
	String partsUnread() {
		return "seven";
	}

	@PostMapping("/parts-by-content")
	@ApiIdempotent(KeySource.CONTENT)
	String partsByContent(@RequestPart("file") MultipartFile file) {
		return String.valueOf(file.getOriginalFilename());
	}

	@PutMapping("/put")
	ResponseEntity<String> put(@RequestBody String body) {
		return ResponseEntity.accepted().body(body);
	}

	@PutMapping("/put-form")
	String putForm(@RequestParam MultiValueMap<String, String> fields) {
		return fields.toString();
	}

	@PatchMapping("/patch")
	String patch(@RequestBody String body) {
		return body;
	}

	@DeleteMapping("/delete")
	ResponseEntity<Void> delete() {
		return ResponseEntity.noContent().build();
	}

	@GetMapping("/get")
	@ApiIdempotent
	ResponseEntity<String> get() {
		return ResponseEntity.ok().header("X-Order-Id", "7").body("seven");
	}

	@GetMapping("/get-much")
	@ApiIdempotent
	List<String> getMuch() {
		return List.of("x".repeat(20_000));
	}

	@GetMapping("/get-written")
	@ApiIdempotent
	void getWritten(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("seven");
	}

	@RequestMapping(path = "/head", method = RequestMethod.HEAD)
	@ApiIdempotent
	void head(HttpServletResponse response) {
		response.setHeader("X-Order-Id", "7");
		response.setContentLength(7);
	}

	@RequestMapping(path = "/options", method = RequestMethod.OPTIONS)
	@ApiIdempotent
	ResponseEntity<String> options() {
		return ResponseEntity.ok().header("Allow", "OPTIONS").body("seven");
	}

	@GetMapping("/caller")
	@ApiIdempotent
	String caller(HttpServletRequest request) {
		return request.getRemoteUser();
	}

}
