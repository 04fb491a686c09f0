package io.idempotent.boot;

import java.util.Collection;

import io.idempotent.webmvc.CallerResolver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;

/**
 * Who counts as a caller of an HTTP operation, in a sentence for the log.
 *
 * @param resolver whether a {@link CallerResolver} bean says so
 * @param security whether Spring Security names principals
 * @param session whether the session counts as well
 */
record KnownCallers(boolean resolver, boolean security, boolean session) {

	/** The name that Spring Security gives its filter. */
	private static final String SECURITY_FILTER = "springSecurityFilterChain";

	private static final Log logger = LogFactory.getLog(KnownCallers.class);

	/**
	 * Looks at an application.
	 * @param beans its beans
	 * @param session whether keys belong to the session
	 * @return what was found
	 */
	static KnownCallers in(BeanFactory beans, boolean session) {
		return new KnownCallers(beans.getBeanProvider(CallerResolver.class).getIfAvailable() != null,
				beans.containsBean(SECURITY_FILTER), session);
	}

	/**
	 * Warns where nothing tells callers apart.
	 * @param replayed the operations that give their answer to a caller who sends the
	 * same key or content again
	 */
	void log(Collection<String> replayed) {
		String warning = warning(replayed);
		if (warning != null) {
			logger.warn(warning);
		}
	}

	/**
	 * Who counts as a caller.
	 * @return a sentence
	 */
	String sentence() {
		return "The caller of an HTTP operation is " + caller() + ".";
	}

	/**
	 * Who counts as a caller.
	 * @return a few words
	 */
	String caller() {
		String caller = this.resolver ? "given by the CallerResolver bean"
				: "the authenticated principal" + (this.security ? " of Spring Security" : "");
		return caller + (this.session ? ", and its session" : "");
	}

	/**
	 * What may be wrong with that.
	 * @param replayed the operations that give their answer to a caller who sends the
	 * same key or content again
	 * @return a warning, or {@code null} if callers can be told apart, or need not be
	 */
	@Nullable String warning(Collection<String> replayed) {
		if (this.resolver || this.security || this.session || replayed.isEmpty()) {
			return null;
		}
		return "The callers of HTTP operations cannot be distinguished: there is neither Spring Security nor a "
				+ "CallerResolver bean. Unless a filter sets the principal of the request, all callers count as one for "
				+ "the operations " + replayed + ", and a caller who sends the key or the content of another gets the "
				+ "other's answer. Define a CallerResolver bean, or set idempotent.web.bind-to-session=true; a CallerResolver "
				+ "that returns Caller.ANONYMOUS confirms that this is intended";
	}

}
