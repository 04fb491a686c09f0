package io.idempotent.aop;

import java.io.Serial;
import java.lang.annotation.Annotation;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;

/**
 * Puts an interceptor around every bean method that carries an annotation, or inherits it
 * from an interface.
 */
public final class AnnotatedMethodAdvisor extends AbstractPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient MethodInterceptor interceptor;

	/**
	 * Creates the advisor.
	 * @param annotation the annotation, on the method itself or on another annotation
	 * @param order where it stands, see {@link AdvisorOrder}
	 * @param interceptor what to run around the method
	 */
	public AnnotatedMethodAdvisor(Class<? extends Annotation> annotation, int order, MethodInterceptor interceptor) {
		this.pointcut = new AnnotationMatchingPointcut(null, annotation, true);
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
