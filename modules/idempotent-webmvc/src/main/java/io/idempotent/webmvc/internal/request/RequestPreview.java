package io.idempotent.webmvc.internal.request;

import java.util.LinkedHashMap;
import java.util.Map;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpEntity;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ContentCachingRequestWrapper;

/**
 * A request as it is read before the handler method, which afterwards can read it as if
 * nobody had. Spring's copies for logs are left out: they are to contain what the handler
 * method reads.
 */
public final class RequestPreview implements AutoCloseable {

	private final @Nullable RewindableRequest rewindable;

	private final Map<ServletRequestWrapper, ServletRequest> leftOut = new LinkedHashMap<>();

	private final HttpServletRequest request;

	public RequestPreview(HttpServletRequest request, CachedBodyRequest cachedRequest, int limit, String operation) {
		this.rewindable = cachedRequest.rewindable(limit, operation, bindsParameters(request));
		this.request = (this.rewindable != null && this.rewindable.isForm()) ? withoutCopies(request) : request;
	}

	/**
	 * Whether Spring asks for parameters before anybody can read the body, so that the
	 * container parses the form itself: filters in front and error pages read it then.
	 */
	private static boolean bindsParameters(HttpServletRequest request) {
		if (request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) instanceof HandlerMethod handler) {
			for (MethodParameter parameter : handler.getMethodParameters()) {
				if (parameter.hasParameterAnnotation(RequestParam.class)
						|| parameter.hasParameterAnnotation(ModelAttribute.class)) {
					return true;
				}
				if (parameter.hasParameterAnnotation(RequestBody.class)
						|| HttpEntity.class.isAssignableFrom(parameter.getParameterType())) {
					return false;
				}
			}
		}
		return false;
	}

	private HttpServletRequest withoutCopies(HttpServletRequest request) {
		HttpServletRequest outermost = request;
		while (isCopy(outermost)) {
			outermost = (HttpServletRequest) ((ServletRequestWrapper) outermost).getRequest();
		}
		ServletRequest next = outermost;
		while (next instanceof ServletRequestWrapper wrapper) {
			next = wrapper.getRequest();
			if (isCopy(next)) {
				this.leftOut.putIfAbsent(wrapper, next);
				wrapper.setRequest(((ServletRequestWrapper) next).getRequest());
				next = wrapper;
			}
		}
		return outermost;
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
