package io.idempotent.http;

import java.io.IOException;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Handlers without the annotation: for them the starter is not there.
 */
@Controller
@RequestMapping("/untouched")
class PlainHandlers {

	static List<Twin> twins() {
		return List.of(untouched("text", Request.post("/untouched/text")),
				untouched("a forward", Request.post("/untouched/forward")),
				untouched("a reason", Request.post("/untouched/reason")),
				untouched("a streaming body", Request.post("/untouched/streaming")),
				untouched("server-sent events", Request.get("/untouched/events")),
				untouched("a DeferredResult", Request.post("/untouched/deferred")),
				untouched("a flush between two parts", Request.post("/untouched/flush")),
				untouched("an exception", Request.post("/untouched/broken")));
	}

	private static Twin untouched(String name, Request request) {
		return Twin.of("without the annotation: " + name, request).repeated(Twin.Repeat.RUNS);
	}

	@PostMapping("/text")
	@ResponseBody
	String text() {
		return "seven";
	}

	@PostMapping("/forward")
	String forward() {
		return "forward:/pages/whole";
	}

	@PostMapping("/reason")
	@ResponseStatus(code = HttpStatus.ACCEPTED, reason = "will be done")
	void reason() {
	}

	@PostMapping("/streaming")
	ResponseEntity<StreamingResponseBody> streaming(HttpServletRequest request) {
		return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body((stream) -> {
			FiltersLeftFilter.await(request);
			stream.write(Files.CONTENT);
		});
	}

	@GetMapping("/events")
	SseEmitter events() throws IOException {
		SseEmitter events = new SseEmitter();
		events.send("seven");
		events.complete();
		return events;
	}

	@PostMapping("/deferred")
	@ResponseBody
	DeferredResult<String> deferred() {
		DeferredResult<String> result = new DeferredResult<>();
		result.setResult("seven");
		return result;
	}

	@PostMapping("/flush")
	void flush(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("seven");
		response.flushBuffer();
		response.getOutputStream().print(response.isCommitted());
	}

	@PostMapping("/broken")
	void broken() {
		throw new IllegalStateException("broken");
	}

}
