package io.idempotent.webmvc.internal.operation;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.method.OperationNames;
import io.idempotent.method.ResultRecovery;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.KeyExpression;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;

/**
 * The idempotent handler methods. Each is checked when it is first looked up: those
 * mapped at start-up are checked at start-up.
 */
public final class Operations {

	/** As defined by RFC 9110: an annotation on the class does not apply to them. */
	private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

	private final BeanFactory beans;

	private final OperationPolicies policies;

	private final OperationNames names;

	private final boolean verifierPresent;

	private final Map<String, Operation> known = new ConcurrentHashMap<>();

	/** A method that two controllers inherit is two operations. */
	private final Map<MethodClassKey, HandlerOperation> byHandler = new ConcurrentHashMap<>();

	public Operations(BeanFactory beans, OperationPolicies policies, OperationNames names, boolean verifierPresent) {
		this.beans = beans;
		this.policies = policies;
		this.names = names;
		this.verifierPresent = verifierPresent;
	}

	/** {@code null} if the request is not idempotent. */
	public @Nullable Operation find(@Nullable Object handler, HttpServletRequest request) {
		return (handler instanceof HandlerMethod method) ? find(method, request.getMethod()) : null;
	}

	/** As for a request with an HTTP method. */
	public @Nullable Operation find(HandlerMethod handler, String method) {
		HandlerOperation found = of(handler);
		return (found.ofClass() && SAFE.contains(method)) ? null : found.operation().get();
	}

	/** {@code null} if none of these requests is idempotent. */
	public @Nullable Operation find(HandlerMethod handler, RequestMappingInfo mapping) {
		HandlerOperation found = of(handler);
		Set<RequestMethod> methods = mapping.getMethodsCondition().getMethods();
		boolean safe = !methods.isEmpty() && methods.stream().map(RequestMethod::name).allMatch(SAFE::contains);
		return (found.ofClass() && safe) ? null : found.operation().get();
	}

	/** Whether requests to a handler method may be idempotent. */
	public boolean isOperation(HandlerMethod handler) {
		return of(handler).annotated();
	}

	private HandlerOperation of(HandlerMethod handler) {
		MethodClassKey owner = new MethodClassKey(handler.getMethod(), handler.getBeanType());
		HandlerOperation known = this.byHandler.get(owner);
		return (known != null) ? known : this.byHandler.computeIfAbsent(owner, (added) -> annotated(handler));
	}

	private HandlerOperation annotated(HandlerMethod handler) {
		Class<?> controller = ClassUtils.getUserClass(handler.getBeanType());
		ApiIdempotent annotation = MethodAnnotations.find(handler.getMethod(), controller, ApiIdempotent.class);
		if (annotation == null) {
			return HandlerOperation.NONE;
		}
		boolean ofClass = MethodAnnotations.isOfClass(handler.getMethod(), controller, ApiIdempotent.class);
		return new HandlerOperation(true, ofClass, SingletonSupplier.of(() -> read(handler, annotation, ofClass)));
	}

	/** The operations that replay their response to an equal key or content. */
	public SortedSet<String> replayedByKey() {
		return this.known.values()
			.stream()
			.filter((operation) -> operation.source() != KeySource.TOKEN
					&& operation.policy().whenCompleted() == WhenCompleted.REPLAY)
			.map(Operation::name)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** {@code null} if there is no operation of this name. */
	public @Nullable KeySource source(String name) {
		Operation operation = this.known.get(name);
		return (operation != null) ? operation.source() : null;
	}

	private Operation read(HandlerMethod handler, ApiIdempotent annotation, boolean ofClass) {
		Method method = handler.getMethod();
		String name = name(handler, annotation, ofClass);
		Object other = this.names.take(name, new MethodClassKey(method, handler.getBeanType()));
		if (other != null) {
			throw invalid(method, "has the name '" + name + "', which belongs to " + other + " already",
					"Give one of them another name: @ApiIdempotent(name = \"…\"); for a method that several controllers "
							+ "inherit, leave the name out: it then begins with the class of the controller");
		}
		requireNoStreaming(method);
		try {
			OperationPolicy policy = this.policies.policy(name, DeclaredPolicy.of(annotation));
			KeySource source = this.policies.source(name, annotation);
			KeyExpression expression = KeyExpression.parseOptional("key", this.policies.resolve(annotation.key()),
					method);
			requireVerifier(method, policy);
			String bean = this.policies.resolve(annotation.recoverer());
			ResultRecovery recoverer = bean.isEmpty() ? null : ResultRecovery.of(this.beans, bean, method, name);
			KeyExpression condition = KeyExpression.parseOptional("condition",
					this.policies.resolve(annotation.condition()), method);
			Operation operation = new Operation(method, annotation, (recoverer != null) ? policy.recovering() : policy,
					source, expression, condition, this.policies.fields(name, annotation),
					replayErrors(name, annotation, policy), checkSecurity(handler, policy), recoverer);
			this.known.put(name, operation);
			return operation;
		}
		catch (IllegalArgumentException ex) {
			throw invalidAttribute(method, ex);
		}
	}

	private String name(HandlerMethod handler, ApiIdempotent annotation, boolean ofClass) {
		try {
			String name = this.policies.resolve(annotation.name());
			if (!name.isEmpty() && !ofClass) {
				return name;
			}
			String controller = name.isEmpty() ? ClassUtils.getUserClass(handler.getBeanType()).getSimpleName() : name;
			return controller + "." + handler.getMethod().getName();
		}
		catch (IllegalArgumentException ex) {
			throw invalidAttribute(handler.getMethod(), ex);
		}
	}

	private static void requireNoStreaming(Method method) {
		Class<?> streaming = ReturnTypes.streaming(ResolvableType.forMethodReturnType(method));
		if (streaming != null) {
			throw invalid(method,
					"returns " + streaming.getSimpleName() + ", a stream whose end and content cannot be recorded",
					"Return a body, or an asynchronous result with a body, or remove @ApiIdempotent; if it is on the class, "
							+ "move the method to another one");
		}
	}

	private ErrorStatuses replayErrors(String operation, ApiIdempotent annotation, OperationPolicy policy) {
		ErrorStatuses errors = new ErrorStatuses(this.policies.replayErrors(operation, annotation));
		if (!errors.texts().isEmpty() && annotation.replayErrors().length > 0
				&& policy.whenCompleted() != WhenCompleted.REPLAY) {
			throw new IllegalArgumentException("it replays errors, but whenCompleted is " + policy.whenCompleted()
					+ ": choose REPLAY, or leave replayErrors out");
		}
		return (policy.whenCompleted() == WhenCompleted.REPLAY) ? errors : new ErrorStatuses(List.of());
	}

	private void requireVerifier(Method method, OperationPolicy policy) {
		if (policy.whenUnknown() == WhenUnknown.ASK && !this.verifierPresent) {
			throw invalid(method, "has whenUnknown = ASK, but there is no OutcomeVerifier bean",
					"Define exactly one bean of type io.idempotent.OutcomeVerifier, or choose RERUN or REJECT");
		}
	}

	/**
	 * Returns whether the method is secured. Throws if no proxy would make it idempotent,
	 * or if a replay would evade method security.
	 */
	private boolean checkSecurity(HandlerMethod handler, OperationPolicy policy) {
		Method method = handler.getMethod();
		Object bean = bean(handler);
		if (bean != null) {
			requireAdvised(method, bean);
		}
		MethodSecurity security = MethodSecurity.of(bean, ClassUtils.getUserClass(handler.getBeanType()), method);
		if (security == MethodSecurity.AFTER && policy.whenCompleted() == WhenCompleted.REPLAY) {
			throw invalid(method,
					"is authorized by what it returns (@PostAuthorize, @PostFilter, @AuthorizeReturnObject), and a "
							+ "replay has no return value to judge",
					"Authorize before the method (@PreAuthorize), or choose whenCompleted = REJECT");
		}
		if (security == MethodSecurity.INSIDE) {
			throw invalid(method,
					"is authorized by method security inside the idempotency advice (order " + AdvisorOrder.IDEMPOTENCY
							+ "), so that a replay would not be authorized",
					"Let method security run outside of it: make @EnableMethodSecurity(offset = …) smaller");
		}
		return security != MethodSecurity.NONE;
	}

	private @Nullable Object bean(HandlerMethod handler) {
		if (!(handler.getBean() instanceof String beanName)) {
			return handler.getBean();
		}
		Object bean = this.beans.isSingleton(beanName) ? this.beans.getBean(beanName) : null;
		// A scoped proxy is a singleton, but not the advised bean.
		return (bean instanceof ScopedObject) ? null : bean;
	}

	private static void requireAdvised(Method method, Object bean) {
		MethodAnnotations.requireOverridable(method, bean.getClass(), ApiIdempotent.class,
				"nothing would make it idempotent");
		if (!(bean instanceof Advised advised)
				|| Arrays.stream(advised.getAdvisors()).noneMatch(Operations::makesIdempotent)) {
			throw invalid(method, "is not called through a proxy, so that nothing would make it idempotent",
					"Let Spring create the controller as a bean of the application's context, not of a child (such as that of "
							+ "another DispatcherServlet), and leave spring.aop.auto switched on");
		}
		if (Arrays.stream(advised.getAdvisors()).anyMatch((advisor) -> isAsync(advisor, method, bean))) {
			throw invalid(method, "is called on another thread (@Async), where nothing makes it idempotent",
					"Remove @Async, and return a Callable, a CompletableFuture or a DeferredResult instead");
		}
	}

	/** Other advisors of this library, such as for locks, have another order. */
	static boolean makesIdempotent(Advisor advisor) {
		return advisor instanceof AnnotatedMethodAdvisor ours && ours.getOrder() == AdvisorOrder.IDEMPOTENCY;
	}

	private static boolean isAsync(Advisor advisor, Method method, Object bean) {
		return advisor.getAdvice() instanceof AsyncExecutionInterceptor && advisor instanceof PointcutAdvisor pointcut
				&& pointcut.getPointcut().getMethodMatcher().matches(method, AopUtils.getTargetClass(bean));
	}

	private static StartUpException invalidAttribute(Method method, IllegalArgumentException cause) {
		return new StartUpException(described(method) + "cannot work: " + cause.getMessage(),
				"Correct the attribute or its property", cause);
	}

	public static StartUpException invalid(Method method, String problem, String action) {
		return new StartUpException(described(method) + problem, action, null);
	}

	private static String described(Method method) {
		return "@ApiIdempotent " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " ";
	}

	/** Checked on first use. {@code ofClass}: the annotation is that of the class. */
	private record HandlerOperation(boolean annotated, boolean ofClass, Supplier<@Nullable Operation> operation) {

		static final HandlerOperation NONE = new HandlerOperation(false, false, () -> null);

	}

}
