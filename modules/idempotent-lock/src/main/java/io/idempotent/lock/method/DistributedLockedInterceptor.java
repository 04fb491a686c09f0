package io.idempotent.lock.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockFence;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.internal.LockListeners;
import io.idempotent.logging.Outage;
import io.idempotent.support.LockedExecution;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method under the locks of its annotations.
 */
public final class DistributedLockedInterceptor implements MethodInterceptor {

	private final LockedMethods methods;

	private final DistributedLocks locks;

	private final LockTemplate template;

	private final LockListeners listeners;

	private final Supplier<? extends LockFence> fences;

	private final ConcurrentMap<Method, SkippedRuns> skippedRuns = new ConcurrentHashMap<>();

	/** Notifies listeners of skipped calls; the first fenced method creates the fence. */
	public DistributedLockedInterceptor(LockedMethods methods, DistributedLocks locks, LockTemplate template,
			LockListeners listeners, Supplier<? extends LockFence> fences) {
		this.methods = methods;
		this.locks = locks;
		this.template = template;
		this.listeners = listeners;
		this.fences = fences;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		LockedExecution.starts(invocation);
		return run(this.methods.of(invocation.getMethod(), type), 0, invocation);
	}

	// NullAway does not see that the result is nullable.
	@SuppressWarnings("NullAway")
	private @Nullable Object run(List<LockedMethod> locked, int index, MethodInvocation invocation) throws Throwable {
		if (index == locked.size()) {
			return invocation.proceed();
		}
		LockedMethod method = locked.get(index);
		if (!method.appliesTo(invocation.getArguments())) {
			return run(locked, index + 1, invocation);
		}
		Set<String> names = method.names(invocation.getArguments());
		SkippedRuns skipped = method.skips()
				? this.skippedRuns.computeIfAbsent(method.method(), (key) -> new SkippedRuns(key, Outage.QUIET)) : null;
		LockedCall call = new LockedCall(fenced(method, names, () -> run(locked, index + 1, invocation)), skipped);
		try {
			return this.template.withOptions(method.options()).withWait(method.waitTime()).execute(names, call);
		}
		catch (LockLostException | Error ex) {
			if (call.returned) {
				LockedExecution.returned(invocation, call.result);
			}
			throw ex;
		}
		catch (LockNotObtainedException ex) {
			if (call.entered) {
				// Thrown by the method itself.
				throw ex;
			}
			if (skipped != null) {
				skipped.engineResponded();
			}
			return instead(method, ex, invocation);
		}
		catch (LockUnavailableException ex) {
			if (call.entered || skipped == null) {
				throw ex;
			}
			skipped.skipped(ex);
			return skipped(method, names, invocation);
		}
	}

	@SuppressWarnings("NullAway")
	private ThrowingSupplier<@Nullable Object, Throwable> fenced(LockedMethod method, Set<String> names,
			ThrowingSupplier<@Nullable Object, Throwable> action) {
		if (!method.fenced()) {
			return action;
		}
		List<DistributedLock> held = names.stream().map((name) -> this.locks.get(name, method.options())).toList();
		return () -> this.fences.get().execute(held, action);
	}

	private @Nullable Object instead(LockedMethod method, LockNotObtainedException reason, MethodInvocation invocation)
			throws Throwable {
		if (method.handler() != null) {
			LockedExecution.skipped(invocation);
			return method.handler().get().answer(method.method(), invocation.getArguments(), reason);
		}
		if (method.onNotObtained() == WhenNotObtained.THROW) {
			throw reason;
		}
		return skipped(method, reason.names(), invocation);
	}

	private @Nullable Object skipped(LockedMethod method, Collection<String> names, MethodInvocation invocation) {
		LockedExecution.skipped(invocation);
		Duration wait = this.template.withWait(method.waitTime()).waitTime(names);
		for (String name : names) {
			this.listeners.publish(LockEvent.Type.SKIPPED, name, this.locks.engineOf(name, method.options()),
					wait.toNanos(), 0);
		}
		return (method.method().getReturnType() == Optional.class) ? Optional.empty() : null;
	}

	private static final class LockedCall implements ThrowingSupplier<@Nullable Object, Throwable> {

		private final ThrowingSupplier<@Nullable Object, Throwable> action;

		private final @Nullable SkippedRuns skipped;

		private boolean entered;

		private boolean returned;

		private @Nullable Object result;

		LockedCall(ThrowingSupplier<@Nullable Object, Throwable> action, @Nullable SkippedRuns skipped) {
			this.action = action;
			this.skipped = skipped;
		}

		@Override
		@SuppressWarnings("NullAway")
		public @Nullable Object get() throws Throwable {
			this.entered = true;
			if (this.skipped != null) {
				this.skipped.engineResponded();
			}
			this.result = this.action.get();
			this.returned = true;
			return this.result;
		}

	}

}
