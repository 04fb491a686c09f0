package io.idempotent.http;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Handlers that write to the response themselves.
 */
@Controller
@RequestMapping("/writes")
class Writes {

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

	@PostMapping("/response-stream")
	@ApiIdempotent
	void responseStream(HttpServletResponse response) throws IOException {
		response.setContentType("application/octet-stream");
		response.getOutputStream().write(new byte[] { 1, 2, 3 });
		response.getOutputStream().write(4);
	}

	@PostMapping("/stream")
	@ApiIdempotent
	void stream(OutputStream stream) throws IOException {
		stream.write(bytes("seven"));
	}

	@PostMapping("/writer")
	@ApiIdempotent
	void writer(Writer writer) throws IOException {
		writer.write("seven");
	}

	@PostMapping("/print")
	@ApiIdempotent
	void print(HttpServletResponse response) throws IOException {
		ServletOutputStream stream = response.getOutputStream();
		stream.print("seven ");
		stream.print(7);
		stream.println(true);
	}

	@PostMapping("/unmappable")
	@ApiIdempotent
	void unmappable(HttpServletResponse response) throws IOException {
		response.setContentType("text/plain;charset=ISO-8859-1");
		response.getWriter().write("für 已支付");
	}

	@PostMapping("/flush-at-end")
	@ApiIdempotent
	void flushAtEnd(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(bytes("seven"));
		response.getOutputStream().flush();
	}

	@PostMapping("/flush-between")
	@ApiIdempotent
	void flushBetween(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(bytes("seven"));
		response.getOutputStream().flush();
		response.getOutputStream().write(bytes(" and eight"));
	}

	@PostMapping("/flush-writer")
	@ApiIdempotent
	void flushWriter(HttpServletResponse response) throws IOException {
		response.getWriter().write("seven");
		response.getWriter().flush();
	}

	@PostMapping("/flush-first")
	@ApiIdempotent
	void flushFirst(HttpServletResponse response) throws IOException {
		response.flushBuffer();
		response.getOutputStream().write(bytes("seven"));
	}

	@PostMapping("/flush-only")
	@ApiIdempotent
	void flushOnly(HttpServletResponse response) throws IOException {
		response.setStatus(202);
		response.flushBuffer();
	}

	@PostMapping("/flush-with-length")
	@ApiIdempotent
	void flushWithLength(HttpServletResponse response) throws IOException {
		response.setContentLength(5);
		response.flushBuffer();
		response.getOutputStream().write(bytes("seven"));
	}

	@PostMapping("/late-header")
	@ApiIdempotent
	void lateHeader(HttpServletResponse response) throws IOException {
		response.setHeader("X-Early", "yes");
		response.getOutputStream().write(bytes("seven"));
		response.flushBuffer();
		response.setHeader("X-Late", "yes");
		response.setHeader("X-Early", "no");
		response.setStatus(202);
	}

	@PostMapping("/sees-commit")
	@ApiIdempotent
	void seesCommit(HttpServletResponse response) throws IOException {
		response.getOutputStream().print(response.isCommitted());
		response.flushBuffer();
		response.getOutputStream().print(response.isCommitted());
	}

	@PostMapping("/reset")
	@ApiIdempotent
	void reset(HttpServletResponse response) throws IOException {
		response.setStatus(202);
		response.setHeader("X-Early", "yes");
		response.getOutputStream().write(bytes("dropped"));
		response.reset();
		response.getOutputStream().write(bytes("seven"));
	}

	@PostMapping("/reset-to-writer")
	@ApiIdempotent
	void resetToWriter(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(bytes("dropped"));
		response.reset();
		response.getWriter().write("seven");
	}

	@PostMapping("/reset-writer")
	@ApiIdempotent
	void resetWriter(HttpServletResponse response) throws IOException {
		response.getWriter().write("dropped");
		response.reset();
		response.getWriter().write("seven");
	}

	@PostMapping("/reset-kept-writer")
	@ApiIdempotent
	void resetKeptWriter(HttpServletResponse response) throws IOException {
		Writer kept = response.getWriter();
		kept.write("dropped");
		response.reset();
		kept.write("seven");
	}

	@PostMapping("/reset-buffer")
	@ApiIdempotent
	void resetBuffer(HttpServletResponse response) throws IOException {
		response.setStatus(202);
		response.setHeader("X-Early", "yes");
		response.getWriter().write("dropped");
		response.resetBuffer();
		response.getWriter().write("seven");
	}

	@PostMapping("/late-reset")
	@ApiIdempotent
	void lateReset(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(bytes("seven"));
		response.flushBuffer();
		try {
			response.reset();
			response.getOutputStream().write(bytes("eight"));
		}
		catch (IllegalStateException ex) {
			response.getOutputStream().write(bytes(" is sent"));
		}
	}

	@PostMapping("/close")
	@ApiIdempotent
	void close(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(bytes("seven"));
		response.getOutputStream().close();
	}

	@PostMapping("/write-after-close")
	@ApiIdempotent
	void writeAfterClose(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(bytes("seven"));
		response.getOutputStream().close();
		response.setHeader("X-Late", "yes");
		try {
			response.getOutputStream().write(bytes(" and eight"));
		}
		catch (IOException ex) {
			// As some servers tell it.
		}
	}

	@PostMapping("/close-writer")
	@ApiIdempotent
	void closeWriter(HttpServletResponse response) throws IOException {
		try (PrintWriter writer = response.getWriter()) {
			writer.write("seven");
		}
		response.getWriter().write(" and eight");
	}

	@PostMapping("/length")
	@ApiIdempotent
	void length(HttpServletResponse response) throws IOException {
		response.setContentLengthLong(5);
		response.getOutputStream().write(bytes("seven"));
	}

	@PostMapping("/too-short")
	@ApiIdempotent
	void tooShort(HttpServletResponse response) throws IOException {
		response.setContentLength(50);
		response.getOutputStream().write(bytes("seven"));
	}

	@PostMapping("/buffer")
	@ApiIdempotent
	void buffer(HttpServletResponse response) throws IOException {
		for (int i = 0; i < 40; i++) {
			response.getOutputStream().write(new byte[1000]);
		}
	}

	@PostMapping("/small-buffer")
	@ApiIdempotent
	void smallBuffer(HttpServletResponse response) throws IOException {
		response.setBufferSize(64);
		response.getOutputStream().write(new byte[100_000 / 2]);
		response.setHeader("X-Late", "yes");
	}

	@PostMapping("/many")
	@ApiIdempotent
	void many(HttpServletResponse response) throws IOException {
		for (int i = 0; i < 200; i++) {
			response.getOutputStream().write(new byte[1000]);
		}
	}

	@PostMapping("/both")
	@ApiIdempotent
	void both(HttpServletResponse response) throws IOException {
		response.getOutputStream().write(bytes("seven"));
		try {
			response.getWriter().write(" and eight");
		}
		catch (IllegalStateException ex) {
			response.getOutputStream().write(bytes(" only"));
		}
	}

	@PostMapping("/trailers")
	@ApiIdempotent
	void trailers(HttpServletResponse response) throws IOException {
		response.setHeader("Trailer", "X-Sum");
		response.setTrailerFields(() -> Map.of("X-Sum", "7"));
		response.getOutputStream().write(bytes("seven"));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
