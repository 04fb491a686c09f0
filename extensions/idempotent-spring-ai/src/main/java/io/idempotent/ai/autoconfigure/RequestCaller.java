package io.idempotent.ai.autoconfigure;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.OperationKey;
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
final class RequestCaller implements ToolIdentity.ToolCaller {

	private static final Log logger = LogFactory.getLog(RequestCaller.class);

	private final CallerResolver callers;

	private final AtomicBoolean warned = new AtomicBoolean();

	RequestCaller(CallerResolver callers) {
		this.callers = callers;
	}

	@Override
	public String scope(String key, Method method) {
		if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
			throw refused(method,
					"it runs on another thread than its HTTP request. Leave immediateExecution of the MCP "
							+ "server switched on, as Spring AI does, or name a key from the arguments");
		}
		@Nullable Caller caller = this.callers.resolveCaller(attributes.getRequest());
		if (caller == null || caller.isUnnamed()) {
			throw refused(method,
					"the caller is authenticated and has no name. Define a CallerResolver bean that gives " + "it one");
		}
		return key + " " + OperationKey.text(OperationKey.caller(caller.name(), caller.tenant(), null));
	}

	private SubmissionRefusedException refused(Method method, String reason) {
		String message = "A call of the tool " + method.getDeclaringClass().getSimpleName() + "." + method.getName()
				+ " is refused, because its caller cannot be distinguished from others: " + reason;
		if (this.warned.compareAndSet(false, true)) {
			logger.warn(message + ". Further cases are logged at DEBUG");
		}
		else {
			logger.debug(message);
		}
		return new SubmissionRefusedException(Refusal.CALLER_UNNAMED, method.getName());
	}

}
