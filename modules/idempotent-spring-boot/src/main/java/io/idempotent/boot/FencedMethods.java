package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.lock.DistributedLocked;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Looks for bean methods whose locks are fenced.
 */
public final class FencedMethods {

	private FencedMethods() {
	}

	/**
	 * Looks at the classes of all beans.
	 * @param beans the beans
	 * @return whether a lock of a bean's method is fenced
	 */
	public static boolean existIn(ConfigurableListableBeanFactory beans) {
		AtomicBoolean found = new AtomicBoolean();
		BeanMethods.forEach(beans, FencedMethods::isFenced, (method, type) -> found.set(true));
		return found.get();
	}

	private static boolean isFenced(Method method) {
		return AnnotatedElementUtils
			.findMergedRepeatableAnnotations(method, DistributedLocked.class, DistributedLocked.Several.class)
			.stream()
			.anyMatch(DistributedLocked::fenced);
	}

}
