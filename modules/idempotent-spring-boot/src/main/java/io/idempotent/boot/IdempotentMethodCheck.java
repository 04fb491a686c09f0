package io.idempotent.boot;

import java.lang.reflect.Method;

import io.idempotent.Idempotent;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Fails the start if a method with {@link Idempotent} cannot work.
 */
final class IdempotentMethodCheck implements SmartInitializingSingleton {

	private final IdempotentMethods methods;

	private final ConfigurableListableBeanFactory beans;

	IdempotentMethodCheck(IdempotentMethods methods, ConfigurableListableBeanFactory beans) {
		this.methods = methods;
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		BeanMethods.forEach(this.beans,
				(method, type) -> MethodAnnotations.findOnNonPrivate(method, type, Idempotent.class) != null,
				this::check);
	}

	private void check(Method method, Class<?> type) {
		requireProxies(method);
		MethodAnnotations.requireOverridable(method, Idempotent.class, "nothing would make it idempotent");
		this.methods.check(method, type);
	}

	private void requireProxies(Method method) {
		if (!this.beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)) {
			throw new StartUpException("@Idempotent " + method.getDeclaringClass().getSimpleName() + "."
					+ method.getName()
					+ " needs a proxy, but nothing makes proxies here, so that nothing would make it idempotent",
					"Leave spring.aop.auto switched on, or add @EnableAspectJAutoProxy", null);
		}
	}

}
