package io.idempotent.lock.method;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.logging.DurationText;
import io.idempotent.support.AsyncReturnTypes;
import io.idempotent.support.KeyExpression;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Async;

/** The annotations of locked methods, kept once they are parsed. */
public final class LockedMethods {

	private static final String TRANSACTION_ENGINE = "jdbc-transaction";

	private final ConcurrentMap<MethodClassKey, List<LockedMethod>> methods = new ConcurrentHashMap<>();

	private final String namespace;

	private final Duration defaultWait;

	private final UnaryOperator<String> placeholders;

	private final BeanFactory beans;

	/** Hyphens replace characters of the namespace that names must not contain. */
	public LockedMethods(String namespace, Duration defaultWait, UnaryOperator<String> placeholders,
			BeanFactory beans) {
		this.namespace = namespace.replaceAll("[\\s{}:]+", "-");
		this.defaultWait = defaultWait;
		this.placeholders = placeholders;
		this.beans = beans;
	}

	/** Returns the names for {@link LockOptions.Settings}. */
	public Set<String> check(Method method, Class<?> type, DistributedLocks locks, boolean canFence) {
		Set<String> names = new LinkedHashSet<>();
		for (LockedMethod locked : of(method, type)) {
			String name = locked.name();
			names.add(LockEvent.group(name));
			try {
				locks.get(name, locked.options());
				requireFences(locked, canFence);
				requireTransactionAround(locks.engineOf(name, locked.options()), locked.method(), type);
			}
			catch (IllegalArgumentException | UnsupportedOperationException ex) {
				throw invalid(locked.method(), ex);
			}
		}
		return names;
	}

	private static void requireFences(LockedMethod locked, boolean canFence) {
		if (locked.fenced() && locked.options().mode() == LockMode.READ) {
			throw new IllegalArgumentException("it is fenced, but its mode is READ, and a read lock has no fencing"
					+ " token: remove one of the two");
		}
		if (locked.fenced() && !canFence) {
			throw new IllegalArgumentException("it is fenced, but there is no FenceGuard: set "
					+ "idempotent.guard.enabled=true, and add io.idempotent:idempotent-lock-jdbc and a DataSource");
		}
	}

	/** A method's lock is acquired before the transaction that this engine needs. */
	private static void requireTransactionAround(String engine, Method method, Class<?> type) {
		if (engine.equals(TRANSACTION_ENGINE) && (isTransactional(method) || isTransactional(type))) {
			throw new IllegalArgumentException("the engine '" + engine
					+ "' needs a transaction that is open before the lock is taken, but the method's own @Transactional"
					+ " begins after it: move one of the two to a method that calls this one, or choose another engine");
		}
	}

	private static boolean isTransactional(AnnotatedElement element) {
		return MergedAnnotations.from(element, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
			.isPresent("org.springframework.transaction.annotation.Transactional");
	}

	/** Read outside of the map: beans that are created then may call such a method. */
	List<LockedMethod> of(Method method, Class<?> type) {
		MethodClassKey key = new MethodClassKey(method, type);
		List<LockedMethod> known = this.methods.get(key);
		return (known != null) ? known : this.methods.merge(key, read(method, type), (first, again) -> first);
	}

	private List<LockedMethod> read(Method method, Class<?> type) {
		Method specific = MethodAnnotations.specific(method, type);
		Set<DistributedLocked> annotations = AnnotatedElementUtils.findMergedRepeatableAnnotations(specific,
				DistributedLocked.class, DistributedLocked.Several.class);
		return annotations.stream().map((annotation) -> read(annotation, specific)).toList();
	}

	private LockedMethod read(DistributedLocked annotation, Method method) {
		try {
			requireSynchronous(method);
			requireNullable(method, annotation.onNotObtained());
			return new LockedMethod(method, name(annotation, method), keys(annotation, method),
					KeyExpression.parseOptional("condition", resolve(annotation.condition()), method),
					options(annotation), waitTime(annotation), annotation.fenced(), annotation.onNotObtained(),
					handler(annotation.handler()));
		}
		catch (IllegalArgumentException ex) {
			throw invalid(method, ex);
		}
	}

	private static void requireSynchronous(Method method) {
		if (AsyncReturnTypes.isSuspending(method)) {
			throw new IllegalArgumentException("it is a suspend function, which goes on on other threads after it has "
					+ "returned, so that the lock would be released before the work is done: lock a function that is "
					+ "not suspending and does the work, for example within runBlocking");
		}
		Class<?> type = method.getReturnType();
		if (AsyncReturnTypes.isAsync(type) && !runsAsynchronously(method)) {
			throw new IllegalArgumentException("it returns a " + type.getName()
					+ ", so that the lock would be released before the work is done: take the lock where the work is");
		}
	}

	/** Spring's asynchronous interceptor is outside: the method runs to its end. */
	private static boolean runsAsynchronously(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class);
	}

	private static void requireNullable(Method method, WhenNotObtained onNotObtained) {
		Class<?> type = method.getReturnType();
		if (onNotObtained == WhenNotObtained.SKIP && type.isPrimitive() && type != void.class) {
			throw new IllegalArgumentException("it returns " + type.getName()
					+ ", which cannot represent a skipped call: return an object, or use a handler");
		}
	}

	private static StartUpException invalid(Method method, RuntimeException reason) {
		return new StartUpException("@DistributedLocked " + nameOf(method) + ": " + reason.getMessage(),
				"Correct the annotation or the method", reason);
	}

	private String name(DistributedLocked annotation, Method method) {
		String name = resolve(annotation.name());
		if (name.isEmpty() && method.getDeclaringClass().isAnonymousClass()) {
			throw new IllegalArgumentException("it has no name, and its class " + method.getDeclaringClass().getName()
					+ " is anonymous, so that it would share its lock with other anonymous classes: name it as in "
					+ "@DistributedLocked(name = \"…\")");
		}
		return name.isEmpty() ? this.namespace + "." + nameOf(method) : name;
	}

	private List<KeyExpression> keys(DistributedLocked annotation, Method method) {
		return Arrays.stream(annotation.key()).map((key) -> KeyExpression.parse(resolve(key), method)).toList();
	}

	private LockOptions options(DistributedLocked annotation) {
		String engine = resolve(annotation.engine());
		Duration atLeast = time("holdAtLeast", annotation.holdAtLeast());
		return new LockOptions(time("leaseTime", annotation.leaseTime()), time("holdAtMost", annotation.holdAtMost()),
				annotation.fair(), engine.isEmpty() ? null : engine, (atLeast != null) ? atLeast : Duration.ZERO,
				annotation.interruptOnLoss(), annotation.mode());
	}

	private Duration waitTime(DistributedLocked annotation) {
		Duration wait = time("waitTime", annotation.waitTime());
		if (wait != null) {
			if (wait.isNegative()) {
				throw new IllegalArgumentException("its waitTime is " + DurationText.of(wait)
						+ ", but it must not be negative: write 0s to ask once, or a long time such as 1h to wait");
			}
			return wait;
		}
		return (annotation.onNotObtained() == WhenNotObtained.SKIP) ? Duration.ZERO : this.defaultWait;
	}

	private @Nullable Duration time(String attribute, String declared) {
		String text = resolve(declared);
		if (text.isEmpty()) {
			return null;
		}
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new IllegalArgumentException(
					"its " + attribute + " \"" + text + "\" is not a duration: write it as 500ms or 30s", ex);
		}
	}

	private @Nullable Supplier<? extends LockNotObtainedHandler> handler(Class<? extends LockNotObtainedHandler> type) {
		if (type == LockNotObtainedHandler.class) {
			return null;
		}
		if (this.beans.getBeanProvider(type).stream().findAny().isEmpty()) {
			throw new IllegalArgumentException(
					"its handler " + type.getName() + " is not a bean: define one of this type, or remove the handler");
		}
		return () -> this.beans.getBean(type);
	}

	private String resolve(String text) {
		return text.isEmpty() ? text : this.placeholders.apply(text);
	}

	private static String nameOf(Method method) {
		return method.getDeclaringClass().getSimpleName() + "." + method.getName();
	}

}
