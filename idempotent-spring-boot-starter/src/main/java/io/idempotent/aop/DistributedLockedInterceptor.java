package io.idempotent.aop;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.idempotent.guard.FenceGuard;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.LockTemplate.LockedAction;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.engine.LockEvents;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method under the locks that its annotations ask for.
 */
public final class DistributedLockedInterceptor implements MethodInterceptor {

	private static final Log logger = LogFactory.getLog(DistributedLockedInterceptor.class);

	private final LockedMethods methods;

	private final DistributedLocks locks;

	private final LockTemplate template;

	private final LockEvents events;

	private final Supplier<FenceGuard> fences;

	/**
	 * Creates the interceptor.
	 * @param methods what annotations make of methods
	 * @param locks the locks
	 * @param template takes them
	 * @param events who is told of a call that is skipped
	 * @param fences the fences, asked for with the first method that is fenced
	 */
	public DistributedLockedInterceptor(LockedMethods methods, DistributedLocks locks, LockTemplate template,
			LockEvents events, Supplier<FenceGuard> fences) {
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
		LockedRun.note(invocation, null);
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
		Section section = new Section(fenced(method, names, () -> run(locked, index + 1, invocation)));
		try {
			return this.template.withOptions(method.options()).withWait(method.waitTime()).execute(names, section);
		}
		catch (LockLostException ex) {
			if (section.returned && !(LockedRun.of(invocation) instanceof LockedRun.Skipped)) {
				LockedRun.note(invocation, new LockedRun.Returned(section.result));
			}
			throw ex;
		}
		catch (LockNotObtainedException ex) {
			if (section.entered) {
				// It stems from the method itself.
				throw ex;
			}
			return instead(method, ex, invocation);
		}
		catch (LockUnavailableException ex) {
			if (section.entered || method.handler() != null || method.onNotObtained() != WhenNotObtained.SKIP) {
				throw ex;
			}
			logger.warn("Skipped " + invocation.getMethod().getName() + " of "
					+ invocation.getMethod().getDeclaringClass().getName()
					+ ", since nobody can say whether its lock is free: "
					+ String.valueOf(ex.getMessage()).replaceAll("\\R\\s*", " "));
			return skipped(method, names, invocation);
		}
	}

	@SuppressWarnings("NullAway")
	private LockedAction<@Nullable Object, Throwable> fenced(LockedMethod method, Set<String> names,
			LockedAction<@Nullable Object, Throwable> action) {
		if (!method.fenced()) {
			return action;
		}
		List<DistributedLock> held = names.stream().map((name) -> this.locks.get(name, method.options())).toList();
		return () -> this.fences.get().execute(held, action);
	}

	private @Nullable Object instead(LockedMethod method, LockNotObtainedException reason, MethodInvocation invocation)
			throws Throwable {
		if (method.handler() != null) {
			LockedRun.note(invocation, new LockedRun.Skipped());
			return method.handler().get().answer(method.method(), invocation.getArguments(), reason);
		}
		if (method.onNotObtained() == WhenNotObtained.THROW) {
			throw reason;
		}
		return skipped(method, reason.names(), invocation);
	}

	private @Nullable Object skipped(LockedMethod method, Collection<String> names, MethodInvocation invocation) {
		LockedRun.note(invocation, new LockedRun.Skipped());
		String named = method.options().engine();
		String engine = (named != null) ? named : this.locks.currentEngine();
		for (String name : names) {
			this.events.tell(LockEvent.Type.SKIPPED, name, engine, method.waitTime().toNanos(), 0);
		}
		return (method.method().getReturnType() == Optional.class) ? Optional.empty() : null;
	}

	/**
	 * The method, or what stands between it and this lock.
	 */
	private static final class Section implements LockedAction<@Nullable Object, Throwable> {

		private final LockedAction<@Nullable Object, Throwable> action;

		private boolean entered;

		private boolean returned;

		private @Nullable Object result;

		Section(LockedAction<@Nullable Object, Throwable> action) {
			this.action = action;
		}

		@Override
		@SuppressWarnings("NullAway")
		public @Nullable Object run() throws Throwable {
			this.entered = true;
			this.result = this.action.run();
			this.returned = true;
			return this.result;
		}

	}

}
