package io.idempotent.client.autoconfigure;

import io.idempotent.client.DerivedKeys;
import io.idempotent.client.RetriedCalls;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.resilience.retry.AbstractRetryInterceptor;

/**
 * Puts {@link RetriedCalls} around the retries of a proxy, and around each attempt, with
 * {@link DerivedKeys} that intercept it. It has no order, so that it comes after the
 * post-processor that adds the retries.
 */
final class RetriedCallAdvisors implements BeanPostProcessor {

	private final RetriedCalls calls;

	private final ObjectProvider<DerivedKeys> keys;

	RetriedCallAdvisors(RetriedCalls calls, ObjectProvider<DerivedKeys> keys) {
		this.calls = calls;
		this.keys = keys;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised proxy && !proxy.isFrozen()) {
			Advisor[] advisors = proxy.getAdvisors();
			for (int i = advisors.length - 1; i >= 0; i--) {
				if (advisors[i] instanceof PointcutAdvisor retry
						&& retry.getAdvice() instanceof AbstractRetryInterceptor) {
					proxy.addAdvisor(i + 1, advisor(retry, this::deriveAgain));
					proxy.addAdvisor(i + 1, advisor(retry, this.calls::attempt));
					proxy.addAdvisor(i, advisor(retry, this.calls::allAttempts));
				}
			}
		}
		return bean;
	}

	private @Nullable Object deriveAgain(MethodInvocation attempt) throws Throwable {
		return (this.keys.getIfAvailable() instanceof MethodInterceptor derived) ? derived.invoke(attempt)
				: attempt.proceed();
	}

	private static Advisor advisor(PointcutAdvisor retry, MethodInterceptor advice) {
		return new DefaultPointcutAdvisor(retry.getPointcut(), advice);
	}

}
