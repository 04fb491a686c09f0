package io.idempotent.client.autoconfigure;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.client.DerivedKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** Derives keys from the innermost operation of the thread, or that of the request. */
final class OperationDerivedKeys implements DerivedKeys {

	private final ObjectProvider<IdempotencyTemplate> template;

	private final boolean enabled;

	/** The purposes that were used, by run: each run has its own context. */
	private final Map<IdempotencyContext, Set<String>> used = Collections.synchronizedMap(new WeakHashMap<>());

	/** Keys are random if the library is switched off. */
	OperationDerivedKeys(ObjectProvider<IdempotencyTemplate> template, boolean enabled) {
		this.template = template;
		this.enabled = enabled;
	}

	@Override
	public String derive(String purpose) {
		if (!this.enabled) {
			return UUID.randomUUID().toString();
		}
		IdempotencyContext context = current();
		if (context == null) {
			throw new IllegalStateException("There is no key for '" + purpose
					+ "': no idempotent operation runs on this thread. Derive it on the thread of an @ApiIdempotent or "
					+ "@Idempotent method, or set the key header of the call");
		}
		if (!this.used.computeIfAbsent(context, (absent) -> ConcurrentHashMap.newKeySet()).add(purpose)) {
			throw new IllegalStateException(
					"This run of " + context.operation() + " has already used the key for '" + purpose
							+ "': a second call would be taken for a repeat of the first one. Give each call a purpose "
							+ "of its own, such as '" + purpose
							+ "-' and an id. To repeat the same call, keep the key: derive it "
							+ "outside of the method that is retried");
		}
		return context.derivedKey(purpose);
	}

	private @Nullable IdempotencyContext current() {
		IdempotencyTemplate methods = this.template.getIfAvailable();
		IdempotencyContext innermost = (methods != null) ? methods.current().orElse(null) : null;
		return (innermost != null) ? innermost : ofRequest(RequestContextHolder.getRequestAttributes());
	}

	private static @Nullable IdempotencyContext ofRequest(@Nullable RequestAttributes request) {
		if (request == null) {
			return null;
		}
		try {
			return (IdempotencyContext) request.getAttribute(IdempotencyContext.ATTRIBUTE,
					RequestAttributes.SCOPE_REQUEST);
		}
		catch (IllegalStateException ex) {
			// The request has ended, and this thread has inherited its attributes.
			return null;
		}
	}

}
