package io.idempotent.boot.lock;

import java.lang.reflect.Method;
import java.util.List;

import io.idempotent.boot.BeanMethods;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockFence;
import io.idempotent.lock.method.LockedMethods;
import io.idempotent.support.OverridableMethods;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Fails the start if locks cannot work: an engine is not available, or an annotation has
 * no effect or contradicts its method.
 */
final class LockedMethodCheck implements SmartInitializingSingleton {

	private final List<String> engines;

	private final LockedMethods methods;

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<DistributedLocks> locks;

	private final ObjectProvider<LockFence> fences;

	LockedMethodCheck(List<String> engines, LockedMethods methods, ConfigurableListableBeanFactory beans,
			ObjectProvider<DistributedLocks> locks, ObjectProvider<LockFence> fences) {
		this.engines = engines;
		this.methods = methods;
		this.beans = beans;
		this.locks = locks;
		this.fences = fences;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.engines.isEmpty()) {
			requireLocks();
		}
		BeanMethods.forEach(this.beans, LockedMethodCheck::isLocked, this::check);
	}

	private void check(Method method, Class<?> type) {
		OverridableMethods.require(method, DistributedLocked.class, "nothing would lock it");
		this.methods.check(method, type, requireLocks(), this.fences.getIfAvailable() != null);
	}

	private static boolean isLocked(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, DistributedLocked.class)
				|| AnnotatedElementUtils.hasAnnotation(method, DistributedLocked.Several.class);
	}

	private DistributedLocks requireLocks() {
		return this.locks.getIfAvailable(() -> {
			LockEngines.select(this.engines, List.of());
			throw new IllegalStateException("There is no DistributedLocks bean");
		});
	}

}
