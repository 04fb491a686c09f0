package io.idempotent.http;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Handlers that write to the response themselves.
 */
@Controller
@RequestMapping("/writes")
@ApiIdempotent
class Writes {

	private static final Map<String, Answer> ANSWERS = answers();

	static List<Twin> twins() {
		return List.of(Twin.of("to the stream of the response", Request.post("/writes/response-stream")),
				Twin.of("to an OutputStream argument", Request.post("/writes/stream")),
				Twin.of("to a Writer argument", Request.post("/writes/writer")),
				Twin.of("by print of the stream", Request.post("/writes/print")),
				Twin.of("characters that the encoding has not", Request.post("/writes/unmappable")),
				Twin.of("a flush at the end", Request.post("/writes/flush-at-end")),
				Twin.of("a flush between two parts", Request.post("/writes/flush-between")),
				Twin.of("a flush of the writer", Request.post("/writes/flush-writer")),
				Twin.of("flushBuffer before the body", Request.post("/writes/flush-first")),
				Twin.of("flushBuffer and no body", Request.post("/writes/flush-only")),
				Twin.of("flushBuffer after the length was told", Request.post("/writes/flush-with-length")),
				Twin.of("headers after a flush, which come too late", Request.post("/writes/late-header")),
				Twin.of("what it sees of its own flush", Request.post("/writes/sees-commit")),
				Twin.of("reset", Request.post("/writes/reset")),
				Twin.of("reset from the stream to the writer", Request.post("/writes/reset-to-writer")),
				Twin.of("reset of a writer", Request.post("/writes/reset-writer")),
				Twin.of("reset of a writer that is kept", Request.post("/writes/reset-kept-writer")),
				Twin.of("resetBuffer", Request.post("/writes/reset-buffer")),
				Twin.of("reset after a flush, which is too late", Request.post("/writes/late-reset")),
				Twin.of("a closed stream", Request.post("/writes/close")),
				Twin.of("writes after the close, which count for nothing", Request.post("/writes/write-after-close")),
				Twin.of("a closed writer", Request.post("/writes/close-writer")),
				Twin.of("a length of its own", Request.post("/writes/length")),
				Twin.of("a length and less than it", Request.post("/writes/too-short").header("Connection: close"))
					.inHttp1Only()
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("more than the buffer", Request.post("/writes/buffer")),
				Twin.of("more than a small buffer", Request.post("/writes/small-buffer")),
				Twin.of("more than is recorded, in parts", Request.post("/writes/many"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a writer beside a stream, which is refused", Request.post("/writes/both")),
				Twin.of("trailers", Request.post("/writes/trailers").header("TE: trailers").header("Connection: TE"))
					.inHttp1Only());
	}

	private static Map<String, Answer> answers() {
		Map<String, Answer> answers = new HashMap<>();
		answers.put("response-stream", (response) -> {
			response.setContentType("application/octet-stream");
			response.getOutputStream().write(new byte[] { 1, 2, 3 });
			response.getOutputStream().write(4);
		});
		answers.put("print", (response) -> {
			ServletOutputStream stream = response.getOutputStream();
			stream.print("seven ");
			stream.print(7);
			stream.println(true);
		});
		answers.put("unmappable", (response) -> {
			response.setContentType("text/plain;charset=ISO-8859-1");
			response.getWriter().write("für 已支付");
		});
		answers.put("flush-at-end", (response) -> {
			response.getOutputStream().write(bytes("seven"));
			response.getOutputStream().flush();
		});
		answers.put("flush-between", (response) -> {
			response.getOutputStream().write(bytes("seven"));
			response.getOutputStream().flush();
			response.getOutputStream().write(bytes(" and eight"));
		});
		answers.put("flush-writer", (response) -> {
			response.getWriter().write("seven");
			response.getWriter().flush();
		});
		answers.put("flush-first", (response) -> {
			response.flushBuffer();
			response.getOutputStream().write(bytes("seven"));
		});
		answers.put("flush-only", (response) -> {
			response.setStatus(202);
			response.flushBuffer();
		});
		answers.put("flush-with-length", (response) -> {
			response.setContentLength(5);
			response.flushBuffer();
			response.getOutputStream().write(bytes("seven"));
		});
		answers.put("late-header", (response) -> {
			response.setHeader("X-Early", "yes");
			response.getOutputStream().write(bytes("seven"));
			response.flushBuffer();
			response.setHeader("X-Late", "yes");
			response.setHeader("X-Early", "no");
			response.setStatus(202);
		});
		answers.put("sees-commit", (response) -> {
			response.getOutputStream().print(response.isCommitted());
			response.flushBuffer();
			response.getOutputStream().print(response.isCommitted());
		});
		answers.put("reset", (response) -> {
			response.setStatus(202);
			response.setHeader("X-Early", "yes");
			response.getOutputStream().write(bytes("dropped"));
			response.reset();
			response.getOutputStream().write(bytes("seven"));
		});
		answers.put("reset-to-writer", (response) -> {
			response.getOutputStream().write(bytes("dropped"));
			response.reset();
			response.getWriter().write("seven");
		});
		answers.put("reset-writer", (response) -> {
			response.getWriter().write("dropped");
			response.reset();
			response.getWriter().write("seven");
		});
		answers.put("reset-kept-writer", (response) -> {
			Writer kept = response.getWriter();
			kept.write("dropped");
			response.reset();
			kept.write("seven");
		});
		answers.put("reset-buffer", (response) -> {
			response.setStatus(202);
			response.setHeader("X-Early", "yes");
			response.getWriter().write("dropped");
			response.resetBuffer();
			response.getWriter().write("seven");
		});
		answers.put("late-reset", (response) -> {
			response.getOutputStream().write(bytes("seven"));
			response.flushBuffer();
			try {
				response.reset();
				response.getOutputStream().write(bytes("eight"));
			}
			catch (IllegalStateException ex) {
				response.getOutputStream().write(bytes(" is sent"));
			}
		});
		answers.put("close", (response) -> {
			response.getOutputStream().write(bytes("seven"));
			response.getOutputStream().close();
		});
		answers.put("write-after-close", (response) -> {
			response.getOutputStream().write(bytes("seven"));
			response.getOutputStream().close();
			response.setHeader("X-Late", "yes");
			try {
				response.getOutputStream().write(bytes(" and eight"));
			}
			catch (IOException ex) {
				// As some servers tell it.
			}
		});
		answers.put("close-writer", (response) -> {
			try (PrintWriter writer = response.getWriter()) {
				writer.write("seven");
			}
			response.getWriter().write(" and eight");
		});
		answers.put("length", (response) -> {
			response.setContentLengthLong(5);
			response.getOutputStream().write(bytes("seven"));
		});
		answers.put("too-short", (response) -> {
			response.setContentLength(50);
			response.getOutputStream().write(bytes("seven"));
		});
		answers.put("buffer", (response) -> {
			for (int i = 0; i < 40; i++) {
				response.getOutputStream().write(new byte[1000]);
			}
		});
		answers.put("small-buffer", (response) -> {
			response.setBufferSize(64);
			response.getOutputStream().write(new byte[100_000 / 2]);
			response.setHeader("X-Late", "yes");
		});
		answers.put("many", (response) -> {
			for (int i = 0; i < 200; i++) {
				response.getOutputStream().write(new byte[1000]);
			}
		});
		answers.put("both", (response) -> {
			response.getOutputStream().write(bytes("seven"));
			try {
				response.getWriter().write(" and eight");
			}
			catch (IllegalStateException ex) {
				response.getOutputStream().write(bytes(" only"));
			}
		});
		answers.put("trailers", (response) -> {
			response.setHeader("Trailer", "X-Sum");
			response.setTrailerFields(() -> Map.of("X-Sum", "7"));
			response.getOutputStream().write(bytes("seven"));
		});
		return answers;
	}

	@PostMapping("/{way}")
	void answer(@PathVariable("way") String way, HttpServletResponse response) throws IOException {
		ANSWERS.get(way).write(response);
	}

	@PostMapping("/stream")
	void stream(OutputStream stream) throws IOException {
		stream.write(bytes("seven"));
	}

	@PostMapping("/writer")
	void writer(Writer writer) throws IOException {
		writer.write("seven");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
