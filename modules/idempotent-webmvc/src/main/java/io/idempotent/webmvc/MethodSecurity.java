package io.idempotent.webmvc;

import java.lang.reflect.Method;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PostFilter;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.security.authorization.method.AuthorizationManagerAfterMethodInterceptor;
import org.springframework.security.authorization.method.AuthorizeReturnObject;
import org.springframework.security.authorization.method.AuthorizeReturnObjectMethodInterceptor;
import org.springframework.security.authorization.method.PostFilterAuthorizationMethodInterceptor;
import org.springframework.util.ClassUtils;

/**
 * What Spring Security's method security, where it is there, has to say about a method.
 */
enum MethodSecurity {

	/** Nothing stands in front of the method. */
	NONE,

	/** The method runs only after a yes. */
	BEFORE,

	/** The yes depends on what the method returned, which a replay has not. */
	AFTER,

	/** The yes is asked for inside our advice, where a replay never comes. */
	INSIDE;

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.security.authorization.method.AuthorizationAdvisor",
			MethodSecurity.class.getClassLoader());

	/**
	 * Looks at what stands around a method.
	 * @param bean the bean, or {@code null} if its proxy is not here yet
	 * @param type the class of the bean
	 * @param method the method
	 * @return what was found; for a bean that is not here yet what its annotations say,
	 * if they say anything, and {@link #BEFORE} to be safe
	 */
	static MethodSecurity of(@Nullable Object bean, Class<?> type, Method method) {
		if (bean == null) {
			return (PRESENT && Detector.judgesResult(type, method)) ? AFTER : BEFORE;
		}
		return (PRESENT && bean instanceof Advised advised) ? Detector.detect(advised, type, method) : NONE;
	}

	/**
	 * Loaded only where Spring Security is.
	 */
	private static final class Detector {

		static MethodSecurity detect(Advised advised, Class<?> type, Method method) {
			MethodSecurity found = NONE;
			boolean inside = false;
			for (Advisor advisor : advised.getAdvisors()) {
				inside |= advisor.getAdvice() instanceof ApiIdempotentMethodInterceptor;
				if (applies(advisor, type, method)) {
					MethodSecurity one = kind(advisor.getAdvice(), type, method, inside);
					found = (one.compareTo(found) > 0) ? one : found;
				}
			}
			return found;
		}

		/**
		 * Asks the advice, because {@code @EnableMethodSecurity} wraps its advisors into
		 * others.
		 */
		private static boolean applies(Advisor advisor, Class<?> type, Method method) {
			return advisor.getAdvice() instanceof AuthorizationAdvisor && advisor instanceof PointcutAdvisor pointcut
					&& pointcut.getPointcut().getClassFilter().matches(type)
					&& pointcut.getPointcut().getMethodMatcher().matches(method, type);
		}

		private static MethodSecurity kind(Advice advice, Class<?> type, Method method, boolean inside) {
			if (advice instanceof AuthorizationManagerAfterMethodInterceptor
					|| advice instanceof PostFilterAuthorizationMethodInterceptor
					|| advice instanceof AuthorizeReturnObjectMethodInterceptor || judgesResult(type, method)) {
				return AFTER;
			}
			return inside ? INSIDE : BEFORE;
		}

		static boolean judgesResult(Class<?> type, Method method) {
			return AnnotatedElementUtils.hasAnnotation(method, PostAuthorize.class)
					|| AnnotatedElementUtils.hasAnnotation(type, PostAuthorize.class)
					|| AnnotatedElementUtils.hasAnnotation(method, PostFilter.class)
					|| AnnotatedElementUtils.hasAnnotation(type, PostFilter.class)
					|| AnnotatedElementUtils.hasAnnotation(method, AuthorizeReturnObject.class)
					|| AnnotatedElementUtils.hasAnnotation(type, AuthorizeReturnObject.class);
		}

	}

}
