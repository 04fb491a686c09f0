package io.idempotent.web;

import java.lang.reflect.Method;
import java.util.Arrays;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.security.authorization.method.AuthorizationInterceptorsOrder;
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
	AFTER;

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.security.authorization.method.AuthorizationAdvisor",
			MethodSecurity.class.getClassLoader());

	static MethodSecurity of(Object bean, Method method) {
		return (PRESENT && bean instanceof Advised advised) ? Detector.detect(advised, bean, method) : NONE;
	}

	/**
	 * Loaded only where Spring Security is.
	 */
	private static final class Detector {

		static MethodSecurity detect(Advised advised, Object bean, Method method) {
			Class<?> type = AopUtils.getTargetClass(bean);
			return Arrays.stream(advised.getAdvisors())
				.filter((advisor) -> applies(advisor, method, type))
				.map((advisor) -> isAfter((AuthorizationAdvisor) advisor) ? AFTER : BEFORE)
				.reduce(NONE, (left, right) -> (left.compareTo(right) > 0) ? left : right);
		}

		private static boolean applies(Advisor advisor, Method method, Class<?> type) {
			return advisor instanceof AuthorizationAdvisor && advisor instanceof PointcutAdvisor pointcut
					&& pointcut.getPointcut().getClassFilter().matches(type)
					&& pointcut.getPointcut().getMethodMatcher().matches(method, type);
		}

		private static boolean isAfter(AuthorizationAdvisor advisor) {
			return advisor.getOrder() >= AuthorizationInterceptorsOrder.SECURE_RESULT.getOrder();
		}

	}

}
