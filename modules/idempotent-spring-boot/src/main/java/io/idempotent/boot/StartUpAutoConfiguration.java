package io.idempotent.boot;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import javax.sql.DataSource;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.start.AnnotationChecks;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.internal.start.EarlyBeanCheck;
import io.idempotent.boot.internal.start.StartUpLine;
import io.idempotent.boot.internal.store.GuardedDatabase;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.method.OperationNames;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.dispatch.IdempotencyContextArgumentResolver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Auto-configuration of checks and a log line at startup. It has no condition: the
 * switches of this library are checked even if everything else is off. Its checks run
 * before those of operations, whose failures could be mere consequences. It is no part of
 * test slices, which lack locks and databases.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class,
		before = { IdempotencyWebMvcAutoConfiguration.class, IdempotencyCallAutoConfiguration.class })
public final class StartUpAutoConfiguration {

	@Bean("io.idempotent.idempotencyStrictBinding")
	static StrictBinding idempotencyStrictBinding(ConfigurableListableBeanFactory beans) {
		return new StrictBinding(beans.getBeanClassLoader());
	}

	@Bean("io.idempotent.idempotencySwitches")
	static SwitchAssertions idempotencySwitches(Environment environment) {
		return new SwitchAssertions(environment);
	}

	@Bean("io.idempotent.childContextCheck")
	static ChildContextCheck childContextCheck(ApplicationContext context) {
		return new ChildContextCheck(context);
	}

	@Bean("io.idempotent.earlyBeanCheck")
	static EarlyBeanCheck earlyBeanCheck() {
		return new EarlyBeanCheck();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyGate.class)
	@ConditionalOnBean(IdempotencyGate.class)
	@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
	static class CheckConfiguration {

		@Bean("io.idempotent.idempotencyStartUpLine")
		StartUpLine idempotencyStartUpLine(IdempotentProperties properties, Environment environment,
				ObjectProvider<IdempotencyStore> store, ObjectProvider<OutcomeCache> cache,
				ObjectProvider<Receipts> receipts, ObjectProvider<OperationNames> operations) {
			return new StartUpLine(properties, environment, store, cache, receipts, operations);
		}

		@Bean("io.idempotent.idempotencyStartUpCheck")
		SmartInitializingSingleton idempotencyStartUpCheck(ConfigurableListableBeanFactory beans,
				Environment environment, ObjectProvider<DataSource> dataSources, ObjectProvider<Receipts> receipts) {
			return () -> {
				AnnotationChecks.requireEffect(beans, isOn(environment, "idempotent.lock.enabled", true));
				if (isOn(environment, "idempotent.guard.enabled", false)) {
					GuardedDatabase.requireUsable(dataSources, receipts.stream().findAny().isEmpty()
							&& isOn(environment, "idempotent.guard.receipt.enabled", true));
				}
			};
		}

		private static boolean isOn(Environment environment, String property, boolean byDefault) {
			return environment.getProperty(property, Boolean.class, byDefault);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
	static class TableConfiguration {

		@Bean("io.idempotent.idempotencyTableCheck")
		@DependsOnDatabaseInitialization
		RequiredTables.Check idempotencyTableCheck(ObjectProvider<RequiredTables> tables) {
			return new RequiredTables.Check(tables);
		}

	}

	/** Without the library, an {@code IdempotencyContext} parameter is {@code null}. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ DispatcherServlet.class, HttpIdempotency.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnBooleanProperty(name = "idempotent.enabled", havingValue = false)
	static class SwitchedOffConfiguration {

		@Bean("io.idempotent.switchedOffIdempotencyWebMvcConfigurer")
		WebMvcConfigurer switchedOffIdempotencyWebMvcConfigurer() {
			return new WebMvcConfigurer() {

				@Override
				public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
					resolvers.add(new IdempotencyContextArgumentResolver());
				}

			};
		}

	}

	/**
	 * Rejects a Boolean property that is neither true nor false: conditions read the raw
	 * text, and take everything except "true" for off. Warns if the whole library is off.
	 */
	record SwitchAssertions(Environment environment) implements BeanFactoryPostProcessor, PriorityOrdered {

		private static final Log logger = LogFactory.getLog(SwitchAssertions.class);

		private static final String ALL = "idempotent.enabled";

		/** The Boolean properties that conditions read. */
		private static final List<String> NAMES = List.of(ALL, "idempotent.guard.enabled",
				"idempotent.guard.receipt.enabled", "idempotent.lock.enabled", "idempotent.lock.rollback-on-loss",
				"idempotent.store.near-cache.enabled", "idempotent.token.enabled");

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
			NAMES.forEach(this::requireBoolean);
			if ("false".equalsIgnoreCase(this.environment.getProperty(ALL))) {
				logger.warn(ALL
						+ "=false: the whole library is off. Methods with @ApiIdempotent and @Idempotent run on "
						+ "each submission, methods with @DistributedLocked run without their locks, nothing raises or "
						+ "checks a fence or keeps a receipt, there are no beans such as IdempotencyTemplate, "
						+ "DistributedLocks and FenceGuard, and an IdempotencyContext of a handler method, which must be "
						+ "@Nullable, is null");
			}
		}

		private void requireBoolean(String name) {
			String value = this.environment.getProperty(name);
			PropertyAssertions.that(value == null || value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"),
					name, String.valueOf(value), "it is neither true nor false",
					"Write " + name + "=true or " + name + "=false");
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	/**
	 * Fails the start of a child context with annotated beans that makes no proxies with
	 * the advisors of its parent: the annotations would have no effect.
	 */
	record ChildContextCheck(ApplicationContext parent) implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			if (event.getApplicationContext() != this.parent
					&& event.getApplicationContext() instanceof ConfigurableApplicationContext child) {
				Set<String> methods = annotated(child.getBeanFactory());
				if (!methods.isEmpty() && !makesProxies(child.getBeanFactory())) {
					throw new StartUpException(
							"The annotations of this library have no effect on " + String.join(", ", methods)
									+ ": their beans are in the child context '" + child.getDisplayName()
									+ "', which makes no proxies with the advisors of its parent",
							"Define the beans in the parent context, or add @EnableAspectJAutoProxy to a configuration of "
									+ "the child context",
							null);
				}
			}
		}

		private Set<String> annotated(ConfigurableListableBeanFactory beans) {
			List<AnnotatedMethodAdvisor> advisors = this.parent.getBeanProvider(AnnotatedMethodAdvisor.class)
				.stream()
				.toList();
			Set<String> methods = new TreeSet<>();
			BeanMethods.forEach(beans,
					(method, type) -> advisors.stream().anyMatch((advisor) -> advisor.matches(method, type)),
					(method, type) -> methods.add(type.getSimpleName() + "." + method.getName()));
			return methods;
		}

		/**
		 * Another creator of proxies, such as that of transactions, finds no advisors
		 * there.
		 */
		private static boolean makesProxies(ConfigurableListableBeanFactory beans) {
			return beans.getBeansOfType(AbstractAdvisorAutoProxyCreator.class)
				.values()
				.stream()
				.anyMatch((creator) -> !(creator instanceof InfrastructureAdvisorAutoProxyCreator));
		}

	}

}
