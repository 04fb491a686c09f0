package io.idempotent.lock.method;

import java.lang.reflect.Method;
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
import io.idempotent.lock.engine.LockListeners;
import io.idempotent.logging.Outage;
import io.idempotent.support.LockedExecution;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method under the locks that its annotations ask for.
 */
public final class DistributedLockedInterceptor implements MethodInterceptor {

	private final LockedMethods methods;

	private final DistributedLocks locks;

	private final LockTemplate template;

	private final LockListeners events;

	private final Supplier<? extends LockFence> fences;

	private final ConcurrentMap<Method, SkippedRuns> skippedRuns = new ConcurrentHashMap<>();

	/**
	 * Creates the interceptor.
	 * @param methods what annotations make of methods
	 * @param locks the locks
	 * @param template takes them
	 * @param events who is told of a call that is skipped
	 * @param fences the fences, asked for with the first method that is fenced
	 */
	public DistributedLockedInterceptor(LockedMethods methods, DistributedLocks locks, LockTemplate template,
			LockListeners events, Supplier<? extends LockFence> fences) {
		this.methods = methods;
		this.locks = locks;
		this.template = template;
		this.events = events;
		this.fences = fences;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		LockedExecution.note(invocation, null);
		return run(this.methods.of(invocation.getMethod(), type), 0, invocation);
	}

	// NullAway does not see that the type of the result may be a nullable one.
	@SuppressWarnings("NullAway")
	private @Nullable Object run(List<LockedMethod> locked, int index, MethodInvocation invocation) throws Throwable {
		if (index == locked.size()) {
			return invocation.proceed();
		}
		LockedMethod method = locked.get(index);
		Set<String> names = method.naming().names(invocation.getArguments());
		SkippedRuns skipped = skips(method) ? skippedRuns(method) : null;
		Section section = new Section(fenced(method, names, () -> run(locked, index + 1, invocation)), skipped);
		try {
			return this.template.withOptions(method.options()).withWait(method.waitTime()).execute(names, section);
		}
		catch (LockLostException ex) {
			if (section.returned && !(LockedExecution.of(invocation) instanceof LockedExecution.Skipped)) {
				LockedExecution.note(invocation, new LockedExecution.Returned(section.result));
			}
			throw ex;
		}
		catch (LockNotObtainedException ex) {
			if (section.entered) {
				// It stems from the method itself.
				throw ex;
			}
			if (skipped != null) {
				skipped.answered();
			}
			return instead(method, ex, invocation);
		}
		catch (LockUnavailableException ex) {
			if (section.entered || skipped == null) {
				throw ex;
			}
			skipped.skipped(ex);
			return skipped(method, names, invocation);
		}
	}

	private static boolean skips(LockedMethod method) {
		return method.handler() == null && method.onNotObtained() == WhenNotObtained.SKIP;
	}

	private SkippedRuns skippedRuns(LockedMethod method) {
		return this.skippedRuns.computeIfAbsent(method.method(), (key) -> new SkippedRuns(key, Outage.QUIET));
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
			LockedExecution.note(invocation, new LockedExecution.Skipped());
			return method.handler().get().answer(method.method(), invocation.getArguments(), reason);
		}
		if (method.onNotObtained() == WhenNotObtained.THROW) {
			throw reason;
		}
		return skipped(method, reason.names(), invocation);
	}

	private @Nullable Object skipped(LockedMethod method, Collection<String> names, MethodInvocation invocation) {
		LockedExecution.note(invocation, new LockedExecution.Skipped());
		String named = method.options().engine();
		String engine = (named != null) ? named : this.locks.currentEngine();
		for (String name : names) {
			this.events.publish(LockEvent.Type.SKIPPED, name, engine, method.waitTime().toNanos(), 0);
		}
		return (method.method().getReturnType() == Optional.class) ? Optional.empty() : null;
	}

	/**
	 * The method, or what stands between it and this lock.
	 */
	private static final class Section implements ThrowingSupplier<@Nullable Object, Throwable> {

		private final ThrowingSupplier<@Nullable Object, Throwable> action;

		private final @Nullable SkippedRuns skipped;

		private boolean entered;

		private boolean returned;

		private @Nullable Object result;

		Section(ThrowingSupplier<@Nullable Object, Throwable> action, @Nullable SkippedRuns skipped) {
			this.action = action;
			this.skipped = skipped;
		}

		@Override
		@SuppressWarnings("NullAway")
		public @Nullable Object get() throws Throwable {
			this.entered = true;
			if (this.skipped != null) {
				this.skipped.answered();
			}
			this.result = this.action.get();
			this.returned = true;
			return this.result;
		}

	}

}
