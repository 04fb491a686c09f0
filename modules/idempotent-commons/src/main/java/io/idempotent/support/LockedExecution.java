package io.idempotent.support;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * What the lock interceptor reports about a method to the idempotency interceptor, which
 * is further outside on the same invocation.
 */
public sealed interface LockedExecution {

	/** Forgets what a former attempt on the same invocation has reported. */
	static void starts(MethodInvocation invocation) {
		note(invocation, null);
	}

	static void skipped(MethodInvocation invocation) {
		note(invocation, new Skipped());
	}

	/** Has no effect if the method was skipped, whose value is no result. */
	static void returned(MethodInvocation invocation, @Nullable Object result) {
		if (!(of(invocation) instanceof Skipped)) {
			note(invocation, new Returned(result));
		}
	}

	private static void note(MethodInvocation invocation, @Nullable LockedExecution run) {
		if (invocation instanceof ProxyMethodInvocation known) {
			known.setUserAttribute(LockedExecution.class.getName(), run);
		}
	}

	/** {@code null} unless one of the two was reported. */
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
