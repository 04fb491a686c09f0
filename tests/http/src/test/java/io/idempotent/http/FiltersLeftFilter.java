package io.idempotent.http;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers {@code /next}, which tells whether a connection goes on, and lets another
 * thread wait until the request's own has left all filters. Spring Security writes its
 * headers when it leaves, and a response takes no two threads at once.
 */
final class FiltersLeftFilter extends OncePerRequestFilter {

	private static final String LATCH = FiltersLeftFilter.class.getName();

	static void await(HttpServletRequest request) {
		try {
			((CountDownLatch) request.getAttribute(LATCH)).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (request.getRequestURI().equals("/next")) {
			return;
		}
		CountDownLatch left = new CountDownLatch(1);
		request.setAttribute(LATCH, left);
		try {
			chain.doFilter(request, response);
		}
		finally {
			left.countDown();
		}
	}

}
