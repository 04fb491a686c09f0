package io.idempotent.support;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * What the advice of locks knows of the method that it stands around, and the advice of
 * idempotency further outside cannot see: the two are on one invocation.
 */
public sealed interface LockedExecution {

	/**
	 * Notes it on an invocation.
	 * @param invocation the invocation
	 * @param run what is known, or {@code null} if the lock is about to be taken
	 */
	static void note(MethodInvocation invocation, @Nullable LockedExecution run) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(LockedExecution.class.getName(), run);
		}
	}

	/**
	 * What was noted on an invocation.
	 * @param invocation the invocation
	 * @return what is known, or {@code null} if that is nothing
	 */
	static @Nullable LockedExecution of(MethodInvocation invocation) {
		return (invocation instanceof ProxyMethodInvocation known)
				? (LockedExecution) known.getUserAttribute(LockedExecution.class.getName()) : null;
	}

	/**
	 * The method was not run, since its lock was not obtained: what the invocation
	 * returns is not its result.
	 */
	record Skipped() implements LockedExecution {
	}

	/**
	 * The method returned and had lost its lock by then: the invocation throws a
	 * {@code LockLostException}.
	 *
	 * @param result what it returned
	 */
	record Returned(@Nullable Object result) implements LockedExecution {
	}

}
