package io.idempotent.support;

import java.io.Serial;
import java.lang.reflect.Method;
import java.util.function.BiPredicate;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

/**
 * Applies an interceptor to the bean methods that have or inherit an annotation, as
 * {@link MethodAnnotations} finds it.
 */
public final class AnnotatedMethodAdvisor extends StaticMethodMatcherPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient BiPredicate<Method, Class<?>> annotated;

	public AnnotatedMethodAdvisor(BiPredicate<Method, Class<?>> annotated, int order, MethodInterceptor interceptor) {
		super(interceptor);
		this.annotated = annotated;
		setOrder(order);
		setClassFilter(AnnotatedClasses::contain);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.annotated.test(method, targetClass);
	}

}
