package io.idempotent.support;

import java.io.Serial;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.BiPredicate;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.util.ClassUtils;

/**
 * Applies an interceptor to the bean methods that have or inherit an annotation, as
 * {@link MethodAnnotations} finds it. A final class without interfaces, which has no
 * proxy, fails the start.
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
		boolean matches = this.annotated.test(method, targetClass);
		if (matches && Modifier.isFinal(targetClass.getModifiers())
				&& ClassUtils.getAllInterfacesForClass(targetClass).length == 0) {
			throw new StartUpException(
					"The class of the annotated method " + targetClass.getSimpleName() + "." + method.getName()
							+ " is final: no proxy can intercept its calls, so that the annotation has no effect",
					"Remove 'final' from the class (in Kotlin: declare it open, or use the plugin kotlin-spring)",
					null);
		}
		return matches;
	}

}
