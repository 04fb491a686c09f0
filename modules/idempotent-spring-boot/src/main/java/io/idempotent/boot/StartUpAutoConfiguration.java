package io.idempotent.boot;

import java.util.List;

import javax.sql.DataSource;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.start.AnnotationChecks;
import io.idempotent.boot.internal.start.ContextCheck;
import io.idempotent.boot.internal.start.StartUpLine;
import io.idempotent.boot.internal.start.UnprotectedBeanCheck;
import io.idempotent.boot.internal.store.GuardedDatabase;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.method.OperationNames;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.dispatch.IdempotencyContextArgumentResolver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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

	@Bean("io.idempotent.idempotencyTableCheck")
	@ConditionalOnClass(name = "org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer")
	@DependsOnDatabaseInitialization
	RequiredTables.Check idempotencyTableCheck(ObjectProvider<RequiredTables> tables) {
		return new RequiredTables.Check(tables);
	}

	/** Also of test slices, by an import. */
	@Configuration(proxyBeanMethods = false)
	static class UnprotectedBeanConfiguration {

		@Bean("io.idempotent.unprotectedBeanCheck")
		static UnprotectedBeanCheck unprotectedBeanCheck(ConfigurableApplicationContext context) {
			return new UnprotectedBeanCheck(context);
		}

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
		ContextCheck idempotencyStartUpCheck(ConfigurableListableBeanFactory own, Environment environment,
				ObjectProvider<DataSource> dataSources, ObjectProvider<Receipts> receipts) {
			return new ContextCheck(own, (beans) -> {
				AnnotationChecks.requireEffect(beans, isOn(environment, "idempotent.lock.enabled", true));
				if (beans == own && isOn(environment, "idempotent.guard.enabled", false)) {
					GuardedDatabase.requireUsable(dataSources, receipts.stream().findAny().isEmpty()
							&& isOn(environment, "idempotent.guard.receipt.enabled", true));
				}
			});
		}

		private static boolean isOn(Environment environment, String property, boolean byDefault) {
			return environment.getProperty(property, Boolean.class, byDefault);
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

}
