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
import org.springframework.aop.support.MethodMatchers;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.aop.support.annotation.AnnotationMethodMatcher;

/**
 * Applies an interceptor to every bean method that has an annotation, or inherits it from
 * an interface.
 */
public final class AnnotatedMethodAdvisor extends AbstractPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient MethodInterceptor interceptor;

	/**
	 * Creates the advisor for annotations of methods.
	 * @param annotations the annotations; one of them on the method, or as a
	 * meta-annotation, is enough
	 * @param order its order, see {@link AdvisorOrder}
	 * @param interceptor the interceptor
	 */
	public AnnotatedMethodAdvisor(List<Class<? extends Annotation>> annotations, int order,
			MethodInterceptor interceptor) {
		this(annotations.stream()
			.<MethodMatcher>map((annotation) -> new AnnotationMethodMatcher(annotation, true))
			.reduce(MethodMatchers::union)
			.orElseThrow(), order, interceptor);
	}

	/**
	 * Creates the advisor for annotations of methods and classes.
	 * @param annotated whether a method of a bean's class is annotated, such as a search
	 * by {@link MethodAnnotations}
	 * @param order its order, see {@link AdvisorOrder}
	 * @param interceptor the interceptor
	 */
	public AnnotatedMethodAdvisor(BiPredicate<Method, Class<?>> annotated, int order, MethodInterceptor interceptor) {
		this(new StaticMethodMatcher() {

			@Override
			public boolean matches(Method method, Class<?> targetClass) {
				return annotated.test(method, targetClass);
			}

		}, order, interceptor);
	}

	private AnnotatedMethodAdvisor(MethodMatcher methods, int order, MethodInterceptor interceptor) {
		this.pointcut = new ComposablePointcut(methods);
		this.interceptor = interceptor;
		setOrder(order);
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
