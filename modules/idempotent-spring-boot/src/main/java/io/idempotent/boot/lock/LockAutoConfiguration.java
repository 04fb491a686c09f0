package io.idempotent.boot.lock;

import java.util.List;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockFence;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.UnlockTiming;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.breaker.CircuitBreakerHealth;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.LockDefaults;
import io.idempotent.lock.internal.hold.LockListeners;
import io.idempotent.lock.method.DistributedLockedInterceptor;
import io.idempotent.lock.method.LockedMethods;
import io.idempotent.lock.method.RollbackOnLoss;
import io.idempotent.lock.method.TransactionalUnlock;
import io.idempotent.lock.switching.SwitchListener;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for locks: the chosen engines, the locks that use them, and methods
 * that are {@link DistributedLocked}. No engine connects before its first lock, except
 * for ZooKeeper with its own client.
 */
@AutoConfiguration(after = RedissonClientAutoConfiguration.class,
		afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass(EngineDistributedLocks.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "idempotent.lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LockProperties.class)
@Import({ RedissonEngineConfiguration.class, ZooKeeperEngineConfiguration.class, JdbcEngineConfiguration.class,
		LocalEngineConfiguration.class })
public final class LockAutoConfiguration {

	@Bean
	@ConditionalOnBean(LockEngine.class)
	@ConditionalOnMissingBean(DistributedLocks.class)
	EngineDistributedLocks distributedLocks(LockProperties properties, PropertiesLockSettings settings,
			ConfigurableEnvironment environment, ObjectProvider<LockEngine> available,
			ObjectProvider<CircuitBreakerHealth> health, ObjectProvider<LockListener> listeners,
			ObjectProvider<SwitchListener> switches, ObjectProvider<LockObserver> observers) {
		List<LockEngine> all = available.orderedStream().toList();
		List<LockEngine> engines = LockEngines.select(properties.engines(), all);
		LockDefaults defaults = new LockDefaults(properties.leaseTime(), properties.renewal(), settings);
		String prefix = properties.namePrefix(Namespace.in(environment));
		if (properties.switching().enabled()) {
			engines = List.of(SwitchableEngines.of(engines, all, properties.switching(), prefix, health,
					switches.getIfAvailable(() -> SwitchListener.NONE)));
		}
		return new EngineDistributedLocks(engines, defaults, listeners.orderedStream().toList(), prefix,
				observers.getIfAvailable(() -> LockObserver.NONE));
	}

	/**
	 * Only with several engines: a node with one may not be configured for switching yet.
	 */
	@Bean
	SmartInitializingSingleton lockAuthorityCheck(LockProperties properties, ConfigurableEnvironment environment,
			ObjectProvider<LockEngine> engines) {
		return () -> {
			if (properties.engines().size() > 1) {
				SwitchableEngines.requireNoOtherAuthority(properties.switching(), properties.engines(),
						engines.stream().toList(), properties.namePrefix(Namespace.in(environment)));
			}
		};
	}

	@Bean
	@ConditionalOnSingleCandidate(EngineDistributedLocks.class)
	@ConditionalOnMissingBean
	LockAdministration lockAdministration(EngineDistributedLocks locks, ApplicationEventPublisher publisher) {
		return locks.administration(publisher::publishEvent);
	}

	@Bean
	@ConditionalOnMissingBean
	UnlockTiming lockUnlockTiming() {
		return new TransactionalUnlock();
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "idempotent.lock.rollback-on-loss", matchIfMissing = true)
	TransactionExecutionListener lockRollbackOnLoss(ObjectProvider<DistributedLocks> locks) {
		return new RollbackOnLoss(locks::getIfAvailable);
	}

	@Bean
	@ConditionalOnBean(DistributedLocks.class)
	@ConditionalOnMissingBean
	LockTemplate lockTemplate(LockProperties properties, DistributedLocks locks, UnlockTiming timing,
			PropertiesLockSettings settings) {
		return new LockTemplate(locks, timing, LockOptions.DEFAULTS, properties.waitTime(), settings);
	}

	@Bean
	@ConditionalOnBean(LockTemplate.class)
	DistributedLockedInterceptor distributedLockedInterceptor(LockedMethods methods, DistributedLocks locks,
			LockTemplate template, ObjectProvider<LockListener> listeners, ObjectProvider<LockFence> fences) {
		return new DistributedLockedInterceptor(methods, locks, template,
				new LockListeners(listeners.orderedStream().toList()), fences::getObject);
	}

	@Bean
	LockedMethods lockedMethods(LockProperties properties, PropertiesLockSettings settings,
			ConfigurableEnvironment environment, ConfigurableListableBeanFactory beans) {
		return new LockedMethods(Namespace.in(environment), properties.waitTime(), settings,
				environment::resolveRequiredPlaceholders, beans);
	}

	@Bean
	PropertiesLockSettings distributedLockSettings(LockProperties properties, ConfigurableEnvironment environment,
			ObjectProvider<LockEngine> engines) {
		return new PropertiesLockSettings(environment,
				(name) -> properties.engines().isEmpty()
						? engines.stream().anyMatch((engine) -> engine.name().equals(name))
						: properties.engines().contains(name));
	}

	@Bean
	LockedMethodCheck lockedMethodCheck(LockProperties properties, LockedMethods methods,
			PropertiesLockSettings settings, ConfigurableListableBeanFactory beans,
			ObjectProvider<DistributedLocks> locks, ObjectProvider<LockFence> fences) {
		return new LockedMethodCheck(properties.engines(), methods, settings, beans, locks, fences);
	}

	@Bean
	LockEventPublisher lockEventPublisher(ApplicationEventPublisher publisher) {
		return new LockEventPublisher(publisher);
	}

	/**
	 * An infrastructure bean, created early, so it depends on no other bean. The
	 * interceptor is looked up at the first call.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(name = "distributedLockedAdvisor")
	static AnnotatedMethodAdvisor distributedLockedAdvisor(ObjectProvider<DistributedLockedInterceptor> interceptor) {
		SingletonSupplier<DistributedLockedInterceptor> supplier = SingletonSupplier.of(interceptor::getObject);
		return new AnnotatedMethodAdvisor(List.of(DistributedLocked.class, DistributedLocked.Several.class),
				AdvisorOrder.LOCK, (invocation) -> supplier.obtain().invoke(invocation));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CircuitBreaker.class)
	@ConditionalOnBooleanProperty(name = "idempotent.lock.switching.automatic")
	static class SwitchingConfiguration {

		/** In percent: most of the latest calls. */
		private static final int FAILURE_RATE = 50;

		/** A single failure or two is no reason to switch. */
		private static final int MINIMUM_CALLS = 5;

		/** The latest calls, of a minute and a half without traffic. */
		private static final int WINDOW = 20;

		@Bean
		CircuitBreakerHealth lockEngineHealth(LockProperties properties) {
			return new CircuitBreakerHealth(FAILURE_RATE, MINIMUM_CALLS, WINDOW, properties.switching().recoveryTime());
		}

	}

	/**
	 * Validates the properties of locks in a database even if another engine is chosen.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DatabaseInitializationMode.class)
	@EnableConfigurationProperties(JdbcLockProperties.class)
	static class JdbcPropertiesConfiguration {

	}

}
