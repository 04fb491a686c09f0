package io.idempotent.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * Handlers whose answers are on purpose not those of their twins.
 */
@Controller
@RequestMapping("/promises")
class Promises {

	@Bean
	static FilterRegistrationBean<Filter> failingFilter() {
		return filter("/promises/runs-on", (request, response, chain) -> {
			chain.doFilter(request, response);
			throw new ServletException("the filter has failed");
		});
	}

	@Bean
	static FilterRegistrationBean<Filter> amountFilter() {
		return filter("/promises/forwarded",
				(request, response, chain) -> chain.doFilter(new Amount((HttpServletRequest) request), response));
	}

	private static FilterRegistrationBean<Filter> filter(String path, Filter filter) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
		registration.setName(path);
		registration.addUrlPatterns(path);
		registration.setOrder(1000);
		return registration;
	}

	@PostMapping("/runs-on")
	@ApiIdempotent
	@ResponseBody
	DeferredResult<String> runsOn() {
		return new DeferredResult<>();
	}

	@PostMapping("/forward")
	void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		request.getRequestDispatcher("/promises/forwarded?fixed=1").forward(request, response);
	}

	@PostMapping("/forwarded")
	@ApiIdempotent
	@ResponseBody
	String forwarded(@RequestParam String amount) {
		return amount;
	}

	@PostMapping("/include")
	void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		request.getRequestDispatcher("/promises/included").include(request, response);
	}

	@PostMapping("/included")
	@ApiIdempotent
	void included(HttpServletResponse response) throws IOException {
		response.getWriter().write("seven");
	}

	@PostMapping("/lost-database")
	@ApiIdempotent
	void lostDatabase() {
		throw new IllegalStateException("not booked", new EOFException("the server closed the connection"));
	}

	@PostMapping("/reset-database")
	@ApiIdempotent
	void resetDatabase() throws IOException {
		throw new IOException("Connection reset by peer");
	}

	@PostMapping("/lost-database-later")
	@ApiIdempotent
	@ResponseBody
	CompletableFuture<String> lostDatabaseLater() {
		return CompletableFuture.failedFuture(new IllegalStateException("not booked", new EOFException()));
	}

	@PostMapping("/session-in-type")
	@ApiIdempotent
	ResponseEntity<String> sessionInType(HttpSession session) {
		return ResponseEntity.ok().header("Content-Type", "text/plain;session=" + session.getId()).body("paid");
	}

	@PostMapping("/session-in-boundary")
	@ApiIdempotent
	void sessionInBoundary(HttpSession session, HttpServletResponse response) throws IOException {
		response.setContentType("multipart/mixed; boundary=" + session.getId());
		response.getOutputStream().print("paid");
	}

	@PostMapping("/session-in-name")
	@ApiIdempotent
	ResponseEntity<String> sessionInName(HttpSession session) {
		return ResponseEntity.ok().header("X-" + session.getId(), "mine").body("paid");
	}

	@PostMapping("/session-in-message")
	@ApiIdempotent
	void sessionInMessage(HttpSession session, HttpServletResponse response) throws IOException {
		response.sendError(HttpServletResponse.SC_ACCEPTED, "paid in " + session.getId());
	}

	@PostMapping("/broken-after-flush")
	@ApiIdempotent
	void brokenAfterFlush(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("paid");
		response.flushBuffer();
		throw new IllegalStateException("broken");
	}

	/** Has a parameter that the client sends as a header. */
	private static final class Amount extends HttpServletRequestWrapper {

		Amount(HttpServletRequest request) {
			super(request);
		}

		@Override
		public Map<String, String[]> getParameterMap() {
			Map<String, String[]> parameters = new HashMap<>(super.getParameterMap());
			String amount = getHeader("X-Amount");
			if (amount != null) {
				parameters.put("amount", new String[] { amount });
			}
			return parameters;
		}

		@Override
		public String @Nullable [] getParameterValues(String name) {
			return getParameterMap().get(name);
		}

		@Override
		public @Nullable String getParameter(String name) {
			String[] values = getParameterValues(name);
			return (values != null) ? values[0] : null;
		}

	}

}
