package io.idempotent.support;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * What the lock interceptor reports about a method to the idempotency interceptor, which
 * is further outside on the same invocation.
 */
public sealed interface LockedExecution {

	/** {@code null} before the lock is acquired. */
	static void note(MethodInvocation invocation, @Nullable LockedExecution run) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(LockedExecution.class.getName(), run);
		}
	}

	static @Nullable LockedExecution of(MethodInvocation invocation) {
		return (invocation instanceof ProxyMethodInvocation known)
				? (LockedExecution) known.getUserAttribute(LockedExecution.class.getName()) : null;
	}

	/** There was no lock. The invocation's value is not the method's result. */
	record Skipped() implements LockedExecution {
	}

	/**
	 * The method returned, but the invocation throws: its lock was lost meanwhile, or the
	 * release threw an {@code Error}.
	 */
	record Returned(@Nullable Object result) implements LockedExecution {
	}

}
