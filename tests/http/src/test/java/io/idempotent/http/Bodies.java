package io.idempotent.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.idempotent.ApiIdempotent;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Bodies that message converters write: kinds, encodings, sizes.
 */
@RestController
@RequestMapping("/bodies")
@ApiIdempotent
class Bodies {

	/** As {@code idempotent.web.max-response-body}. */
	private static final int BOUND = 64 * 1024;

	static List<Twin> twins() {
		return List.of(Twin.of("text", Request.post("/bodies/text")),
				Twin.of("text that the client reads as JSON",
						Request.post("/bodies/text").header("Accept: application/json")),
				Twin.of("empty text", Request.post("/bodies/empty")),
				Twin.of("nothing for void", Request.post("/bodies/void")),
				Twin.of("nothing for null", Request.post("/bodies/null")),
				Twin.of("an empty Optional", Request.post("/bodies/optional")),
				Twin.of("JSON of a record", Request.post("/bodies/record")),
				Twin.of("JSON of 20 KB", Request.post("/bodies/long-json")),
				Twin.of("bytes", Request.post("/bodies/bytes")),
				Twin.of("text in UTF-8", Request.post("/bodies/utf-8")),
				Twin.of("text in ISO-8859-1", Request.post("/bodies/latin")),
				Twin.of("text in UTF-16", Request.post("/bodies/utf-16")),
				Twin.of("text in the encoding that the client wants",
						Request.post("/bodies/text").header("Accept: text/plain;charset=UTF-16BE")),
				Twin.of("a type that the client does not want",
						Request.post("/bodies/record").header("Accept: image/png"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("as many bytes as are recorded", Request.post("/bodies/sized?size=" + BOUND)),
				Twin.of("one byte more than is recorded", Request.post("/bodies/sized?size=" + (BOUND + 1)))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("JSON that fails halfway", Request.post("/bodies/fails"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("JSON of more than is recorded", Request.post("/bodies/huge"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE));
	}

	@PostMapping("/text")
	String text() {
		return "paid";
	}

	@PostMapping("/empty")
	String empty() {
		return "";
	}

	@PostMapping("/void")
	void nothing() {
	}

	@PostMapping("/null")
	@Nullable Map<String, String> absent() {
		return null;
	}

	@PostMapping("/optional")
	Optional<String> optional() {
		return Optional.empty();
	}

	@PostMapping("/record")
	Receipt receipt() {
		return new Receipt(7, "Grüner Tee", List.of("a", "b"));
	}

	@PostMapping("/long-json")
	List<String> longJson() {
		return List.of("x".repeat(20_000));
	}

	@PostMapping("/bytes")
	byte[] bytes() {
		return new byte[] { 0, 1, 13, 10, -1, -128 };
	}

	@PostMapping(path = "/utf-8", produces = "text/plain;charset=UTF-8")
	String utf8() {
		return "已支付 – paid";
	}

	@PostMapping(path = "/latin", produces = "text/plain;charset=ISO-8859-1")
	String latin() {
		return "bezahlt für übermorgen";
	}

	@PostMapping(path = "/utf-16", produces = "text/plain;charset=UTF-16")
	String utf16() {
		return "已支付";
	}

	@PostMapping(path = "/sized", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
	byte[] sized(@RequestParam("size") int size) {
		return new byte[size];
	}

	@PostMapping("/huge")
	List<String> huge() {
		return List.of("y".repeat(BOUND), "z".repeat(BOUND));
	}

	record Receipt(int id, String article, List<String> notes) {
	}

	@PostMapping("/fails")
	Broken fails() {
		return new Broken("seven");
	}

	/** What breaks in the middle of being written. */
	record Broken(String before) {

		@SuppressWarnings("DoNotCallSuggester")
		public String getRest() {
			throw new IllegalStateException("cannot be written");
		}

	}

}
