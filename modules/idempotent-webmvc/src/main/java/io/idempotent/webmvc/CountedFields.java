package io.idempotent.webmvc;

import java.util.function.Predicate;

import io.idempotent.engine.ComparedFields;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tells which fields of one request count: those that the operation compares, without the
 * fields of the form token and of the CSRF token.
 */
final class CountedFields implements Predicate<String> {

	private final HttpServletRequest request;

	private final ComparedFields compared;

	private final String tokenParameter;

	/** Asked for with the first field: most requests have none. */
	private @Nullable String csrfParameter;

	CountedFields(HttpServletRequest request, ComparedFields compared, String tokenParameter) {
		this.request = request;
		this.compared = compared;
		this.tokenParameter = tokenParameter;
	}

	@Override
	public boolean test(String name) {
		if (this.csrfParameter == null) {
			this.csrfParameter = CsrfParameter.of(this.request);
		}
		return this.compared.counts(name) && !name.equals(this.tokenParameter) && !name.equals(this.csrfParameter);
	}

}
