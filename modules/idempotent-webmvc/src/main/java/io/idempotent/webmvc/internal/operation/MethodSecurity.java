package io.idempotent.webmvc.internal.operation;

import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PostFilter;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.security.authorization.method.AuthorizationManagerAfterMethodInterceptor;
import org.springframework.security.authorization.method.AuthorizeReturnObject;
import org.springframework.security.authorization.method.AuthorizeReturnObjectMethodInterceptor;
import org.springframework.security.authorization.method.PostFilterAuthorizationMethodInterceptor;
import org.springframework.security.core.AuthenticationException;
import org.springframework.util.ClassUtils;

/** Where Spring Security's method security, if present, authorizes a method. */
public enum MethodSecurity {

	/** The method is not secured. */
	NONE,

	/** Access is decided before the method is called. */
	BEFORE,

	/** Access depends on the return value, which a replay does not have. */
	AFTER,

	/** Access is decided inside the idempotency advice, which a replay never reaches. */
	INSIDE;

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.security.authorization.method.AuthorizationAdvisor",
			MethodSecurity.class.getClassLoader());

	/**
	 * Without a bean, whose proxy may not exist yet, it is {@link #AFTER} if the
	 * annotations demand it, otherwise {@link #BEFORE} to be safe.
	 */
	static MethodSecurity of(@Nullable Object bean, Class<?> type, Method method) {
		if (bean == null) {
			return (PRESENT && Detector.judgesResult(type, method)) ? AFTER : BEFORE;
		}
		return (PRESENT && bean instanceof Advised advised) ? Detector.detect(advised, type, method) : NONE;
	}

	/** Whether Spring Security's filter answers with a 401, a 403 or a login. */
	public static boolean isDenial(@Nullable Throwable thrown) {
		return PRESENT && Detector.isDenial(thrown);
	}

	/** Loaded only if Spring Security is present. */
	private static final class Detector {

		static boolean isDenial(@Nullable Throwable thrown) {
			return thrown instanceof AccessDeniedException || thrown instanceof AuthenticationException
					|| (thrown != null && isDenial(thrown.getCause()));
		}

		static MethodSecurity detect(Advised advised, Class<?> type, Method method) {
			MethodSecurity found = NONE;
			boolean inside = false;
			for (Advisor advisor : advised.getAdvisors()) {
				inside |= Operations.makesIdempotent(advisor);
				if (applies(advisor, type, method)) {
					MethodSecurity next = kind(advisor.getAdvice(), type, method, inside);
					found = (next.compareTo(found) > 0) ? next : found;
				}
			}
			return found;
		}

		/** Checks advice: {@code @EnableMethodSecurity} wraps advisors in others. */
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
			return Stream.of(PostAuthorize.class, PostFilter.class, AuthorizeReturnObject.class)
				.anyMatch((annotation) -> AnnotatedElementUtils.hasAnnotation(method, annotation)
						|| AnnotatedElementUtils.hasAnnotation(type, annotation));
		}

	}

}
