package io.idempotent.support;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * What the lock interceptor reports about a method to the idempotency interceptor, which
 * is further outside on the same invocation.
 */
public sealed interface LockedExecution {

	/**
	 * Attaches a report to an invocation.
	 * @param invocation the invocation
	 * @param run the report, or {@code null} before the lock is acquired
	 */
	static void note(MethodInvocation invocation, @Nullable LockedExecution run) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(LockedExecution.class.getName(), run);
		}
	}

	/**
	 * Returns the report of an invocation.
	 * @param invocation the invocation
	 * @return the report, or {@code null} if there is none
	 */
	static @Nullable LockedExecution of(MethodInvocation invocation) {
		return (invocation instanceof ProxyMethodInvocation known)
				? (LockedExecution) known.getUserAttribute(LockedExecution.class.getName()) : null;
	}

	/**
	 * The method was skipped, because its lock was not obtained. The return value of the
	 * invocation is not the result of the method.
	 */
	record Skipped() implements LockedExecution {
	}

	/**
	 * The method returned, but had lost its lock: the invocation throws a
	 * {@code LockLostException}.
	 *
	 * @param result what it returned
	 */
	record Returned(@Nullable Object result) implements LockedExecution {
	}

}
