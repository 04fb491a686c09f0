package io.idempotent.boot;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets clients close their persistent connections before the web server does. A stopping
 * web server drops a request that arrives on an idle connection; the client sees a reset
 * and cannot know whether the request was processed. So a stopping application keeps
 * responding for a while, with {@code Connection: close}. Its readiness is already
 * {@code REFUSING_TRAFFIC}, so that a load balancer takes it out of rotation before the
 * port closes.
 */
final class ConnectionDrain extends OncePerRequestFilter implements SmartLifecycle {

	private final Duration time;

	private volatile boolean running;

	ConnectionDrain(Duration time) {
		this.time = time;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (!this.running) {
			response.setHeader(HttpHeaders.CONNECTION, "close");
		}
		chain.doFilter(request, response);
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
	}

	/**
	 * Spring waits for the callback, for
	 * {@code spring.lifecycle.timeout-per-shutdown-phase} at most.
	 */
	@Override
	public void stop(Runnable callback) {
		stop();
		CompletableFuture.delayedExecutor(this.time.toNanos(), TimeUnit.NANOSECONDS).execute(callback);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * The web server stops before everything else, and this before the web server.
	 */
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE;
	}

}
