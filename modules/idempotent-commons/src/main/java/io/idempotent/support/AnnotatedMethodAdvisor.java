package io.idempotent.support;

import java.io.Serial;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.BiPredicate;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.aop.support.annotation.AnnotationMethodMatcher;

/**
 * Applies an interceptor to every bean method that has or inherits an annotation.
 */
public final class AnnotatedMethodAdvisor extends AbstractPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient MethodInterceptor interceptor;

	/**
	 * For annotations of this library on methods, or their meta-annotations: one of them
	 * is enough. Clients that share an annotated interface with a server are left out.
	 */
	public AnnotatedMethodAdvisor(List<Class<? extends Annotation>> annotations, int order,
			MethodInterceptor interceptor) {
		this((method, type) -> isAnnotated(annotations, method, type) && !MethodAnnotations.isOfClient(method, type),
				order, interceptor);
	}

	/** For annotations of methods and classes, found by {@link MethodAnnotations}. */
	public AnnotatedMethodAdvisor(BiPredicate<Method, Class<?>> annotated, int order, MethodInterceptor interceptor) {
		this(methods(annotated), order, interceptor);
	}

	private AnnotatedMethodAdvisor(MethodMatcher methods, int order, MethodInterceptor interceptor) {
		this.pointcut = new ComposablePointcut(AnnotatedClasses::contain, methods);
		this.interceptor = interceptor;
		setOrder(order);
	}

	private static boolean isAnnotated(List<Class<? extends Annotation>> annotations, Method method, Class<?> type) {
		for (Class<? extends Annotation> annotation : annotations) {
			if (new AnnotationMethodMatcher(annotation, true).matches(method, type)) {
				return true;
			}
		}
		return false;
	}

	private static MethodMatcher methods(BiPredicate<Method, Class<?>> predicate) {
		return new StaticMethodMatcher() {

			@Override
			public boolean matches(Method method, Class<?> targetClass) {
				return predicate.test(method, targetClass);
			}

		};
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.interceptor;
	}

}
