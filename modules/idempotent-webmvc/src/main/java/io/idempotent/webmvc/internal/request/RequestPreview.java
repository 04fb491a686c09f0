package io.idempotent.webmvc.internal.request;

import java.util.LinkedHashMap;
import java.util.Map;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.ContentCachingRequestWrapper;

/**
 * A request as it is read before the handler method, which afterwards can read it as if
 * nobody had. Spring's copies for logs are left out: they are to contain what the handler
 * method reads.
 */
public final class RequestPreview implements AutoCloseable {

	private final @Nullable RewindableRequest rewindable;

	private final Map<ServletRequestWrapper, ServletRequest> leftOut = new LinkedHashMap<>();

	private HttpServletRequest request;

	public RequestPreview(HttpServletRequest request, CachedBodyRequest cachedRequest, int limit, String operation) {
		this.request = request;
		this.rewindable = cachedRequest.rewindable(limit, operation);
		if (this.rewindable != null && this.rewindable.isForm()) {
			leaveOutCopies();
		}
	}

	private void leaveOutCopies() {
		while (isCopy(this.request)) {
			this.request = (HttpServletRequest) ((ServletRequestWrapper) this.request).getRequest();
		}
		ServletRequest next = this.request;
		while (next instanceof ServletRequestWrapper wrapper) {
			next = wrapper.getRequest();
			if (isCopy(next)) {
				this.leftOut.putIfAbsent(wrapper, next);
				wrapper.setRequest(((ServletRequestWrapper) next).getRequest());
				next = wrapper;
			}
		}
	}

	private static boolean isCopy(ServletRequest request) {
		return request.getClass() == ContentCachingRequestWrapper.class;
	}

	public HttpServletRequest request() {
		return this.request;
	}

	@Override
	public void close() {
		this.leftOut.forEach(ServletRequestWrapper::setRequest);
		if (this.rewindable != null) {
			this.rewindable.rewind();
		}
	}

}
