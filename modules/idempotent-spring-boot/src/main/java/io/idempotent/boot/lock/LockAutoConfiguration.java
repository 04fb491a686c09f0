package io.idempotent.boot.lock;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.internal.start.ContextCheck;
import io.idempotent.boot.internal.start.ProxyChecks;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockFence;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.LockTemplate.UnlockTiming;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.LockListeners;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.lock.method.DistributedLockedInterceptor;
import io.idempotent.lock.method.LockedMethods;
import io.idempotent.lock.method.RollbackOnLoss;
import io.idempotent.lock.method.TransactionalUnlock;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.MethodAnnotations;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for lock engines, locks and {@link DistributedLocked} methods. None
 * of these engines connects before its first lock.
 */
@AutoConfiguration(after = RedissonClientAutoConfiguration.class,
		afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
				"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" })
@ConditionalOnClass(EngineDistributedLocks.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "idempotent.lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LockProperties.class)
@Import({ RedissonEngineConfiguration.class, RedisEngineConfiguration.class, JdbcEngineConfiguration.class })
public final class LockAutoConfiguration {

	/** The lock engine {@code local}, for the threads of one JVM. */
	@Bean("io.idempotent.localLockEngine")
	@ConditionalOnLockEngine("local")
	@ConditionalOnMissingBean(name = "io.idempotent.localLockEngine")
	LockEngine localLockEngine() {
		return new LocalLockEngine();
	}

	@Bean("io.idempotent.distributedLocks")
	@Conditional(LockEngines.OnEnginesCondition.class)
	@ConditionalOnMissingBean(DistributedLocks.class)
	EngineDistributedLocks distributedLocks(LockProperties properties, PropertiesLockSettings settings,
			ConfigurableEnvironment environment, ObjectProvider<LockEngine> available,
			ObjectProvider<LockEnginesCustomizer> customizers, ObjectProvider<LockListener> listeners,
			ObjectProvider<LockObserver> observers, ConfigurableListableBeanFactory beans) {
		List<LockEngine> engines = LockEngines.select(properties.engines(), available.orderedStream().toList(), beans);
		String prefix = properties.namePrefix(Namespace.in(environment));
		LockEnginesCustomizer customizer = customizers.getIfAvailable();
		if (customizer != null) {
			engines = customizer.customize(engines, prefix);
		}
		else {
			LockEngines.requireNoneEnabled(environment, beans.getBeanClassLoader());
		}
		LockEngines.logUnused(engines);
		return new EngineDistributedLocks(engines, properties.leaseTime(), settings, listeners.orderedStream().toList(),
				prefix, Objects.requireNonNullElse(observers.getIfAvailable(), LockObserver.NONE));
	}

	@Bean("io.idempotent.lockUnlockTiming")
	@ConditionalOnMissingBean
	UnlockTiming lockUnlockTiming() {
		return new TransactionalUnlock();
	}

	@Bean("io.idempotent.lockRollbackOnLoss")
	@ConditionalOnBooleanProperty(name = "idempotent.lock.rollback-on-loss", matchIfMissing = true)
	TransactionExecutionListener lockRollbackOnLoss(ObjectProvider<DistributedLocks> locks) {
		return new RollbackOnLoss(locks::getIfAvailable);
	}

	@Bean("io.idempotent.lockTemplate")
	@ConditionalOnBean(DistributedLocks.class)
	@ConditionalOnMissingBean
	LockTemplate lockTemplate(LockProperties properties, DistributedLocks locks, UnlockTiming timing,
			PropertiesLockSettings settings) {
		return new LockTemplate(locks, timing, LockOptions.DEFAULTS, properties.waitTime(), settings);
	}

	@Bean("io.idempotent.lockedMethods")
	LockedMethods lockedMethods(LockProperties properties, ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beans) {
		return new LockedMethods(Namespace.in(environment), properties.waitTime(),
				environment::resolveRequiredPlaceholders, beans);
	}

	@Bean("io.idempotent.distributedLockSettings")
	PropertiesLockSettings distributedLockSettings(LockProperties properties, ObjectProvider<LockEngine> engines) {
		return new PropertiesLockSettings(properties.locks(),
				(name) -> properties.engines().isEmpty()
						? engines.stream().anyMatch((engine) -> engine.name().equals(name))
						: properties.engines().contains(name));
	}

	/** Fails the start if a lock engine is missing or a lock annotation cannot work. */
	@Bean("io.idempotent.lockedMethodCheck")
	ContextCheck lockedMethodCheck(LockProperties properties, LockedMethods methods, PropertiesLockSettings settings,
			ConfigurableListableBeanFactory own, ObjectProvider<LockFence> fences) {
		return new ContextCheck(own, (beans) -> {
			if (!properties.engines().isEmpty()) {
				requireLocks(properties.engines(), own);
			}
			Set<String> names = new TreeSet<>();
			BeanMethods.forEach(beans, (method, type) -> BeanMethods.isLocked(method), (method, type) -> {
				MethodAnnotations.requireOverridable(method, type, DistributedLocked.class, "nothing would lock it");
				names.addAll(methods.check(method, type, requireLocks(properties.engines(), own),
						fences.getIfAvailable() != null));
			});
			ProxyChecks.warnOfClients(beans, DistributedLocked.class);
			ProxyChecks.requireSiblings(beans, LockAutoConfiguration::isLocked);
			if (beans == own) {
				settings.warnOfUnknown(names);
			}
		});
	}

	private static DistributedLocks requireLocks(List<String> engines, ConfigurableListableBeanFactory beans) {
		return beans.getBeanProvider(DistributedLocks.class).getIfAvailable(() -> {
			LockEngines.select(engines, List.of(), beans);
			throw new IllegalStateException("There is no DistributedLocks bean");
		});
	}

	/** Only events that an application may have to act on become Spring events. */
	@Bean("io.idempotent.lockEventPublisher")
	LockListener lockEventPublisher(ApplicationEventPublisher publisher) {
		return (event) -> {
			switch (event.type()) {
				case SUSPECT, RESUMED, LOST -> publisher.publishEvent(event);
				default -> {
				}
			}
		};
	}

	/** Created early, so its beans are looked up only at the first call. */
	@Bean("io.idempotent.distributedLockedAdvisor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotatedMethodAdvisor distributedLockedAdvisor(ObjectProvider<LockedMethods> methods,
			ObjectProvider<DistributedLocks> locks, ObjectProvider<LockTemplate> template,
			ObjectProvider<LockListener> listeners, ObjectProvider<LockFence> fences) {
		SingletonSupplier<DistributedLockedInterceptor> supplier = SingletonSupplier
			.of(() -> new DistributedLockedInterceptor(methods.getObject(), locks.getObject(), template.getObject(),
					new LockListeners(listeners.orderedStream().toList()), fences::getObject));
		return new AnnotatedMethodAdvisor(LockAutoConfiguration::isLocked, AdvisorOrder.LOCK,
				(invocation) -> supplier.obtain().invoke(invocation));
	}

	private static boolean isLocked(Method method, Class<?> type) {
		return MethodAnnotations.isOfServer(method, type, DistributedLocked.class)
				|| MethodAnnotations.isOfServer(method, type, DistributedLocked.Several.class);
	}

}
