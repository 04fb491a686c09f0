package io.idempotent.ai.autoconfigure;

import java.lang.reflect.Method;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The caller of the request of this thread, as of any HTTP request. Spring AI runs the
 * tools of a servlet application on the thread of the request.
 */
record RequestCaller(CallerResolver callers) implements ToolIdentity.ToolCaller {

	private static final Log logger = LogFactory.getLog(RequestCaller.class);

	@Override
	public String scope(String key, Method method) {
		@Nullable Caller caller = this.callers.resolveCaller(request(method).getRequest());
		if (caller == null || caller.isUnnamed()) {
			throw refused(method, "its caller is authenticated and has no name");
		}
		String scoped = (caller.name() != null) ? key + " " + encode(caller.name()) : key;
		return (caller.tenant() != null) ? scoped + " in " + encode(caller.tenant()) : scoped;
	}

	private static ServletRequestAttributes request(Method method) {
		if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request) {
			return request;
		}
		throw refused(method, "it runs on another thread than its HTTP request, so that its caller is unknown. Leave "
				+ "immediateExecution of the MCP server switched on, as Spring AI does, or name a key from the arguments");
	}

	private static SubmissionRefusedException refused(Method method, String reason) {
		logger.warn("A call of the tool " + method.getDeclaringClass().getSimpleName() + "." + method.getName()
				+ " is refused: " + reason);
		return new SubmissionRefusedException(Refusal.CALLER_UNNAMED, method.getName());
	}

	/** Without spaces. */
	private static String encode(String part) {
		return URLEncoder.encode(part, StandardCharsets.UTF_8);
	}

}
