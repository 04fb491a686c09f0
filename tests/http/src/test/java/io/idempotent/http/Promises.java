package io.idempotent.http;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
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
@ApiIdempotent
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

	@Bean
	static FilterRegistrationBean<Filter> unheardFilter() {
		FilterRegistrationBean<Filter> filter = filter("/own-contexts/*",
				(request, response, chain) -> chain.doFilter(new Unheard((HttpServletRequest) request), response));
		filter.setAsyncSupported(true);
		filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
		return filter;
	}

	private static FilterRegistrationBean<Filter> filter(String path, Filter filter) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
		registration.setName(path);
		registration.addUrlPatterns(path);
		registration.setOrder(1000);
		return registration;
	}

	@PostMapping("/runs-on")
	@ResponseBody
	DeferredResult<String> runsOn() {
		return new DeferredResult<>();
	}

	@PostMapping("/forwarded")
	@ResponseBody
	String forwarded(@RequestParam String amount) {
		return amount;
	}

	@PostMapping("/included")
	void included(HttpServletResponse response) throws IOException {
		response.getWriter().write("seven");
	}

	@PostMapping("/lost-database")
	void lostDatabase() {
		throw new IllegalStateException("not booked", new EOFException("the server closed the connection"));
	}

	@PostMapping("/reset-database")
	void resetDatabase() throws IOException {
		throw new IOException("Connection reset by peer");
	}

	@PostMapping("/lost-database-later")
	@ResponseBody
	CompletableFuture<String> lostDatabaseLater() {
		return CompletableFuture.failedFuture(new IllegalStateException("not booked", new EOFException()));
	}

	@PostMapping("/session-in-type")
	ResponseEntity<String> sessionInType(HttpSession session) {
		return ResponseEntity.ok().header("Content-Type", "text/plain;session=" + session.getId()).body("paid");
	}

	@PostMapping("/session-in-boundary")
	void sessionInBoundary(HttpSession session, HttpServletResponse response) throws IOException {
		response.setContentType("multipart/mixed; boundary=" + session.getId());
		response.getOutputStream().print("paid");
	}

	@PostMapping("/session-in-name")
	ResponseEntity<String> sessionInName(HttpSession session) {
		return ResponseEntity.ok().header("X-" + session.getId(), "mine").body("paid");
	}

	@PostMapping("/session-in-value")
	ResponseEntity<String> sessionInValue(HttpSession session) {
		return ResponseEntity.ok().header("X-Session", session.getId()).body("paid");
	}

	@PostMapping("/session-in-body")
	@ResponseBody
	String sessionInBody(HttpSession session) {
		return "{\"session\":\"" + session.getId() + "\"}";
	}

	@PostMapping("/session-encoded/{encoding}")
	void sessionEncoded(@PathVariable("encoding") String encoding, HttpSession session, HttpServletResponse response)
			throws IOException {
		if (!encoding.equals("gzip")) {
			response.setContentType("text/plain;charset=" + encoding);
			response.getOutputStream().write(session.getId().getBytes(Charset.forName(encoding)));
			return;
		}
		response.setHeader("Content-Encoding", "gzip");
		try (GZIPOutputStream out = new GZIPOutputStream(response.getOutputStream())) {
			out.write(session.getId().getBytes(StandardCharsets.UTF_8));
		}
	}

	@PostMapping("/session-in-message")
	void sessionInMessage(HttpSession session, HttpServletResponse response) throws IOException {
		response.sendError(HttpServletResponse.SC_ACCEPTED, "paid in " + session.getId());
	}

	@PostMapping("/broken-after-flush")
	void brokenAfterFlush(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("paid");
		response.flushBuffer();
		throw new IllegalStateException("broken");
	}

	/**
	 * Has a context that has ended before anybody could listen, if the client says so.
	 */
	private static final class Unheard extends HttpServletRequestWrapper {

		Unheard(HttpServletRequest request) {
			super(request);
		}

		@Override
		public AsyncContext getAsyncContext() {
			if (getHeader("X-Unheard") != null) {
				throw new IllegalStateException("planned");
			}
			return super.getAsyncContext();
		}

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
