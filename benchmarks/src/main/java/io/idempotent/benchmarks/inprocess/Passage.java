package io.idempotent.benchmarks.inprocess;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.CompilerControl;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * The way of a request to its handler and back, without what Spring MVC and the container
 * do in between: filter, interceptor, handler, answer. The chain is not inlined, as it is
 * not where there are other filters; otherwise the wrappers would vanish from what is
 * measured.
 */
public final class Passage implements FilterChain {

	private final @Nullable Filter filter;

	private final @Nullable HandlerInterceptor interceptor;

	private final HandlerMethod handler;

	private final Call call;

	private final byte[] content = new byte[256];

	private final LeanRequest request;

	private final LeanResponse response = new LeanResponse();

	Passage(@Nullable Filter filter, @Nullable HandlerInterceptor interceptor, HandlerMethod handler,
			LeanRequest request, Call call) {
		this.filter = filter;
		this.interceptor = interceptor;
		this.handler = handler;
		this.request = request;
		this.call = call;
	}

	LeanResponse go(String key) {
		this.request.begin(key);
		this.response.begin();
		if (this.filter == null) {
			doFilter(this.request, this.response);
			return this.response;
		}
		try {
			this.filter.doFilter(this.request, this.response, this);
		}
		catch (IOException | ServletException ex) {
			throw new IllegalStateException("A request failed", ex);
		}
		return this.response;
	}

	@Override
	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse) {
		HttpServletRequest current = (HttpServletRequest) servletRequest;
		HttpServletResponse answer = (HttpServletResponse) servletResponse;
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(current, answer));
		try {
			if (this.interceptor == null) {
				handle(current, answer);
			}
			else if (this.interceptor.preHandle(current, answer, this.handler)) {
				handle(current, answer);
				this.interceptor.postHandle(current, answer, this.handler, null);
				this.interceptor.afterCompletion(current, answer, this.handler, null);
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException("A request failed", ex);
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	private void handle(HttpServletRequest current, HttpServletResponse answer) throws IOException {
		if (Math.max(0, current.getInputStream().read(this.content)) != current.getContentLength()) {
			throw new IllegalStateException("The body is not whole");
		}
		byte[] body = this.call.run(this.content);
		answer.setContentType("application/json");
		answer.getOutputStream().write(body);
	}

	/**
	 * Calls the handler.
	 */
	@FunctionalInterface
	interface Call {

		byte[] run(byte[] body);

	}

}
