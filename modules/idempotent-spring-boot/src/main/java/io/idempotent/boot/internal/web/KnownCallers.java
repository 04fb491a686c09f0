package io.idempotent.boot.internal.web;

import java.util.Collection;

import io.idempotent.webmvc.CallerResolver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactory;

/**
 * How callers of HTTP operations are identified, for the log.
 *
 * @param resolver whether there is a {@link CallerResolver} bean
 * @param security whether Spring Security authenticates principals
 * @param session whether keys also belong to the HTTP session
 */
public record KnownCallers(boolean resolver, boolean security, boolean session) {

	/** The bean name of Spring Security's filter. */
	private static final String SECURITY_FILTER = "springSecurityFilterChain";

	private static final Log logger = LogFactory.getLog(KnownCallers.class);

	/**
	 * Inspects an application.
	 * @param beans its beans
	 * @param session whether keys also belong to the HTTP session
	 * @return how callers are identified
	 */
	public static KnownCallers in(BeanFactory beans, boolean session) {
		return new KnownCallers(beans.getBeanProvider(CallerResolver.class).getIfAvailable() != null,
				beans.containsBean(SECURITY_FILTER), session);
	}

	/**
	 * Describes the caller.
	 * @return a phrase
	 */
	public String caller() {
		String caller = this.resolver ? "given by the CallerResolver bean"
				: "the authenticated principal" + (this.security ? " of Spring Security" : "");
		return caller + (this.session ? ", and its session" : "");
	}

	/**
	 * Warns if callers cannot be distinguished.
	 * @param replayed the operations that replay their response to a caller who sends the
	 * same key or content again
	 */
	public void warn(Collection<String> replayed) {
		if (this.resolver || this.security || this.session || replayed.isEmpty()) {
			return;
		}
		logger.warn("The callers of HTTP operations cannot be distinguished: there is neither Spring Security nor a "
				+ "CallerResolver bean. Unless a filter sets the principal of the request, all callers count as one for "
				+ "the operations " + replayed + ", and a caller who sends the key or the content of another gets the "
				+ "other's response. Define a CallerResolver bean, or set idempotent.web.bind-to-session=true; a CallerResolver "
				+ "that returns Caller.ANONYMOUS confirms that this is intended");
	}

}
