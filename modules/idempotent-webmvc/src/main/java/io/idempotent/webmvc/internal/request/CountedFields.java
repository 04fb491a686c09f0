package io.idempotent.webmvc.internal.request;

import java.util.function.Predicate;
import java.util.function.Supplier;

import io.idempotent.engine.policy.ComparedFields;
import org.jspecify.annotations.Nullable;

/**
 * Whether a field of a request counts for its fingerprint: the fields that the operation
 * compares do, except those of the form token and the CSRF token.
 */
final class CountedFields implements Predicate<String> {

	private final Supplier<String> csrfName;

	private final ComparedFields compared;

	private final String tokenParameter;

	/** Resolved for the first field, since most requests have no fields. */
	private @Nullable String csrfParameter;

	CountedFields(Supplier<String> csrfName, ComparedFields compared, String tokenParameter) {
		this.csrfName = csrfName;
		this.compared = compared;
		this.tokenParameter = tokenParameter;
	}

	@Override
	public boolean test(String name) {
		if (this.csrfParameter == null) {
			this.csrfParameter = this.csrfName.get();
		}
		return this.compared.counts(name) && !name.equals(this.tokenParameter) && !name.equals(this.csrfParameter);
	}

}
