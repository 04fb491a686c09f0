package io.idempotent.boot;

import java.lang.reflect.Method;

import io.idempotent.Idempotent;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.method.OperationNames;
import io.idempotent.support.InvalidAnnotationException;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Refuses to start with an {@link Idempotent} that cannot work, and warns of settings of
 * operations that are not there. It comes after the check of handler methods, so that all
 * names are known.
 */
final class IdempotentMethodCheck implements SmartInitializingSingleton {

	private final IdempotentMethods methods;

	private final ConfigurableListableBeanFactory beans;

	private final OperationNames names;

	private final ObjectProvider<PropertiesOperationPolicies> policies;

	IdempotentMethodCheck(IdempotentMethods methods, ConfigurableListableBeanFactory beans, OperationNames names,
			ObjectProvider<PropertiesOperationPolicies> policies) {
		this.methods = methods;
		this.beans = beans;
		this.names = names;
		this.policies = policies;
	}

	@Override
	public void afterSingletonsInstantiated() {
		BeanMethods.forEach(this.beans, (method) -> AnnotatedElementUtils.hasAnnotation(method, Idempotent.class),
				this::check);
		this.policies.ifAvailable((properties) -> properties.warnOfUnknownOperations(this.names.taken()));
	}

	private void check(Method method, Class<?> type) {
		requireProxies(method);
		BeanMethods.requireOverridable(method, Idempotent.class, "nothing would make it idempotent");
		this.methods.check(method, type);
	}

	private void requireProxies(Method method) {
		if (!this.beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)) {
			throw new InvalidAnnotationException("@Idempotent " + method.getDeclaringClass().getSimpleName() + "."
					+ method.getName()
					+ " needs a proxy, but nothing makes proxies here, so that nothing would make it idempotent",
					"Leave spring.aop.auto switched on, or add @EnableAspectJAutoProxy", null);
		}
	}

}
