package io.idempotent.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * Handlers that answer in an {@code AsyncContext} of their own.
 */
@Controller
@ApiIdempotent
class OwnContexts {

	static List<Twin> twins() {
		return Stream.of(Way.values())
			.map((way) -> Twin.of("a context of its own, " + way, Request.post("/own-contexts/" + way))
				.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE))
			.toList();
	}

	@PostMapping("/own-contexts/{way}")
	void answer(@PathVariable("way") Way way, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		if (way.flushes) {
			response.getWriter().write("head ");
			response.flushBuffer();
		}
		AsyncContext own = way.withItsResponse ? request.startAsync(request, response) : request.startAsync();
		if (!way.later) {
			complete(way, own);
			return;
		}
		CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS).execute(() -> {
			FiltersLeftFilter.await(request);
			try {
				complete(way, own);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static void complete(Way way, AsyncContext own) throws IOException {
		way.end.write((HttpServletResponse) own.getResponse());
		own.complete();
	}

	private static void text(HttpServletResponse response) throws IOException {
		response.setStatus(201);
		response.setHeader("X-Order-Id", "7");
		response.setContentType("text/plain;charset=UTF-8");
		response.getWriter().write("seven");
	}

	/**
	 * How a context is used.
	 */
	enum Way {

		AT_ONCE(false, false, false, OwnContexts::text),

		AT_ONCE_BY_STREAM(false, false, false, (response) -> response.getOutputStream().print("seven")),

		AT_ONCE_WITH_ITS_RESPONSE(false, true, false, OwnContexts::text),

		AT_ONCE_AN_ERROR(false, false, false, (response) -> response.sendError(409, "sold out")),

		LATER(true, false, false, OwnContexts::text),

		LATER_AFTER_A_FLUSH(true, false, true, (response) -> response.getWriter().write("tail")),

		LATER_AN_ERROR(true, false, false, (response) -> response.sendError(409, "sold out")),

		LATER_A_REDIRECT(true, false, false, (response) -> response.sendRedirect("/next"));

		private final boolean later;

		private final boolean withItsResponse;

		private final boolean flushes;

		@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
		private final Answer end;

		Way(boolean later, boolean withItsResponse, boolean flushes, Answer end) {
			this.later = later;
			this.withItsResponse = withItsResponse;
			this.flushes = flushes;
			this.end = end;
		}

	}

}
