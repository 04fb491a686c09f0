package io.idempotent.support;

import java.io.Serial;
import java.lang.annotation.Annotation;
import java.util.List;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.MethodMatchers;
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
	 * Creates the advisor.
	 * @param annotations the annotations; one of them on the method, or as a
	 * meta-annotation, is enough
	 * @param order its order, see {@link AdvisorOrder}
	 * @param interceptor the interceptor
	 */
	public AnnotatedMethodAdvisor(List<Class<? extends Annotation>> annotations, int order,
			MethodInterceptor interceptor) {
		MethodMatcher methods = annotations.stream()
			.<MethodMatcher>map((annotation) -> new AnnotationMethodMatcher(annotation, true))
			.reduce(MethodMatchers::union)
			.orElseThrow();
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
