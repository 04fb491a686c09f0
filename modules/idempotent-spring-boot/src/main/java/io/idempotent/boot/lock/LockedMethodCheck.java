package io.idempotent.boot.lock;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockFence;
import io.idempotent.lock.method.LockedMethods;
import io.idempotent.support.MethodAnnotations;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Fails the start if a lock engine is missing or a lock annotation cannot work. */
final class LockedMethodCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(LockedMethodCheck.class);

	private final List<String> engines;

	private final LockedMethods methods;

	private final PropertiesLockSettings settings;

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<DistributedLocks> locks;

	private final ObjectProvider<LockFence> fences;

	LockedMethodCheck(List<String> engines, LockedMethods methods, PropertiesLockSettings settings,
			ConfigurableListableBeanFactory beans, ObjectProvider<DistributedLocks> locks,
			ObjectProvider<LockFence> fences) {
		this.engines = engines;
		this.methods = methods;
		this.settings = settings;
		this.beans = beans;
		this.locks = locks;
		this.fences = fences;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.engines.isEmpty()) {
			requireLocks();
		}
		Set<String> names = new TreeSet<>();
		BeanMethods.forEach(this.beans, (method, type) -> BeanMethods.isLocked(method),
				(method, type) -> names.addAll(check(method, type)));
		warnOfUnknownSettings(names);
	}

	private Set<String> check(Method method, Class<?> type) {
		MethodAnnotations.requireOverridable(method, type, DistributedLocked.class, "nothing would lock it");
		return this.methods.check(method, type, requireLocks(), this.fences.getIfAvailable() != null);
	}

	/** A warning only: code or another application may use the name. */
	private void warnOfUnknownSettings(Set<String> names) {
		Set<String> unknown = this.settings.unknown(names);
		if (!unknown.isEmpty()) {
			logger.warn("idempotent.lock.locks has settings of " + unknown + ", but the annotated locks are " + names
					+ ": correct the name (one with a dot needs brackets) or remove the settings, unless code gives "
					+ "the name to DistributedLocks or a LockTemplate");
		}
	}

	private DistributedLocks requireLocks() {
		return this.locks.getIfAvailable(() -> {
			LockEngines.select(this.engines, List.of());
			throw new IllegalStateException("There is no DistributedLocks bean");
		});
	}

}
