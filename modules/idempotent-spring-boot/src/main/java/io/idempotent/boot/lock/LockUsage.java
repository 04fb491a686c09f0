package io.idempotent.boot.lock;

import java.util.Arrays;
import java.util.stream.Stream;

import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockTemplate;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds out whether an application uses locks, once all beans exist: by an annotation, or
 * by a bean that depends on the API. An {@code ObjectProvider} is not found.
 */
final class LockUsage {

	private LockUsage() {
	}

	static boolean isFoundIn(ConfigurableListableBeanFactory beans) {
		return BeanMethods.areLocked(beans) || Stream.of(DistributedLocks.class, LockTemplate.class)
			.flatMap((type) -> Arrays.stream(beans.getBeanNamesForType(type)))
			.flatMap((name) -> Arrays.stream(beans.getDependentBeans(name)))
			.anyMatch((name) -> !isConfiguredHere(beans, name));
	}

	/** Whether the bean comes from an auto-configuration of this module. */
	private static boolean isConfiguredHere(ConfigurableListableBeanFactory beans, String name) {
		if (!beans.containsBeanDefinition(name)) {
			return false;
		}
		BeanDefinition definition = beans.getBeanDefinition(name);
		String factory = definition.getFactoryBeanName();
		Class<?> configuration = (factory != null) ? beans.getType(factory) : null;
		return configuration != null && configuration.getName().startsWith("io.idempotent.boot.");
	}

}
