package io.idempotent.steps.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.internal.properties.GuardProperties;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.properties.StoreProperties.StoreType;
import io.idempotent.boot.internal.store.GuardedDatabase;
import io.idempotent.boot.internal.store.JdbcSchema;
import io.idempotent.boot.internal.store.RequiredTable;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.method.json.CallJson;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.StepAdministration;
import io.idempotent.steps.internal.JdbcOperationSteps;
import io.idempotent.steps.internal.ResumptionSweep;
import io.idempotent.steps.internal.StepObserver;
import io.idempotent.steps.internal.StepSettings;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordEncryption;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration for operations with steps, in the guarded database.
 */
@AutoConfiguration(after = { GuardAutoConfiguration.class, IdempotencyCallAutoConfiguration.class })
@ConditionalOnClass({ GuardAutoConfiguration.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@EnableConfigurationProperties(StepsProperties.class)
@ImportRuntimeHints(StepsAutoConfiguration.Hints.class)
public final class StepsAutoConfiguration {

	/** Each statement reads or writes by a key or an index. */
	private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration PURGE_INTERVAL = Duration.ofHours(1);

	private static StepSettings settings(StepsProperties steps, IdempotentProperties properties, Duration retention,
			ConfigurableEnvironment environment, ObjectProvider<RecordEncryption> encryption) {
		if (properties.store().type() == StoreType.RECEIPT) {
			throw new InvalidConfigurationException("idempotent.store.type", "receipt",
					"with receipts alone, no node knows what runs on another one, so that two attempts could do the same "
							+ "step at the same time",
					"Choose another store, such as jdbc, or leave out idempotent-steps");
		}
		return new StepSettings(Namespace.in(environment), NodeName.in(environment), retention, QUERY_TIMEOUT,
				Math.toIntExact(properties.call().maxResult().toBytes()), steps.whenChanged(), steps.resume().after(),
				steps.resume().maxAttempts(), encryption.getIfAvailable(() -> RecordEncryption.NONE));
	}

	/** Fails the start if somebody needs steps: nested classes are registered first. */
	@Bean("io.idempotent.operationSteps")
	@Lazy
	@ConditionalOnMissingBean
	@SuppressWarnings("DoNotCallSuggester") // Spring calls it
	OperationStepsFactory operationSteps() {
		throw new InvalidConfigurationException("idempotent.guard.enabled", "false",
				"there are operations with steps, which are kept in the guarded database",
				"Set idempotent.guard.enabled=true and configure a database");
	}

	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnBean(GuardedDatabase.class)
	static class DatabaseConfiguration {

		@Bean("io.idempotent.operationSteps")
		@ConditionalOnMissingBean(OperationStepsFactory.class)
		@DependsOnDatabaseInitialization
		JdbcOperationSteps operationSteps(GuardedDatabase database, GuardProperties guard, StepsProperties steps,
				IdempotentProperties properties, ObjectProvider<PlatformTransactionManager> managers,
				IdempotencyTemplate template, ObjectProvider<CallJson> json, ObjectProvider<StepObserver> observer,
				ConfigurableEnvironment environment, ObjectProvider<RecordEncryption> encryption) {
			JdbcSchema.create(database.dataSource(), OperationSteps.class, environment);
			return new JdbcOperationSteps(database.dataSource(), transactionManager(managers), template,
					json.getIfAvailable(), observer.getIfAvailable(() -> StepObserver.NONE),
					settings(steps, properties, guard.receipt().retention(), environment, encryption));
		}

		private static PlatformTransactionManager transactionManager(
				ObjectProvider<PlatformTransactionManager> managers) {
			PlatformTransactionManager manager = managers.getIfUnique();
			if (manager == null) {
				throw new InvalidConfigurationException("The transaction manager of operations with steps",
						managers.stream().count() + " beans",
						"there must be one PlatformTransactionManager bean, or one that is @Primary",
						"Make that of the guarded DataSource @Primary");
			}
			return manager;
		}

		@Bean("io.idempotent.stepAdministration")
		@ConditionalOnBean(JdbcOperationSteps.class)
		@ConditionalOnMissingBean
		StepAdministration stepAdministration(JdbcOperationSteps steps) {
			return steps.administration();
		}

		@Bean("io.idempotent.resumableMethodCheck")
		@ConditionalOnBean(JdbcOperationSteps.class)
		SmartInitializingSingleton resumableMethodCheck(JdbcOperationSteps steps, IdempotentMethods methods,
				ConfigurableListableBeanFactory beans) {
			return new ResumableMethodCheck(steps.resumable(), methods, beans);
		}

		@Bean("io.idempotent.operationStepsResumption")
		@ConditionalOnBean(JdbcOperationSteps.class)
		@ConditionalOnBooleanProperty(name = "idempotent.steps.resume.enabled", matchIfMissing = true)
		@Lazy(false)
		ResumptionSweep operationStepsResumption(JdbcOperationSteps steps, ApplicationEventPublisher events,
				ObjectProvider<RecordAdministration> records) {
			return steps.resumption(events::publishEvent, (key) -> records.getObject().inspect(key).state());
		}

		@Bean("io.idempotent.operationStepsPurge")
		@ConditionalOnBean(JdbcOperationSteps.class)
		@Lazy(false)
		GuardPurge operationStepsPurge(JdbcOperationSteps steps) {
			return new GuardPurge("steps", steps::purge, PURGE_INTERVAL);
		}

		@Bean("io.idempotent.operationStepsTables")
		RequiredTables operationStepsTables(GuardedDatabase database) {
			return () -> Stream.of("idempotent_operation", "idempotent_step")
				.map((table) -> new RequiredTable(database.dataSource(), "The table of steps", table, table,
						"every operation with steps fails", OperationSteps.class,
						"Name one of its databases in idempotent.guard.data-source"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class ObservationConfiguration {

		@Bean("io.idempotent.stepObserver")
		@ConditionalOnMissingBean
		StepObserver stepObserver(ObjectProvider<ObservationRegistry> registry, ObjectProvider<MeterRegistry> meters) {
			return new MicrometerStepObserver(registry.getIfUnique(() -> ObservationRegistry.NOOP),
					meters.getIfUnique());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebMvcConfigurer.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class WebMvcConfiguration {

		@Bean("io.idempotent.operationStepsWebMvcConfigurer")
		WebMvcConfigurer operationStepsWebMvcConfigurer(ObjectProvider<OperationStepsFactory> factory) {
			return new WebMvcConfigurer() {

				@Override
				public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
					resolvers.add(new OperationStepsArgumentResolver(factory));
				}

			};
		}

		/** Fails at the start, not at the first request. */
		@Bean("io.idempotent.operationStepsHandlerCheck")
		SmartInitializingSingleton operationStepsHandlerCheck(ObjectProvider<RequestMappingHandlerMapping> mappings,
				ObjectProvider<OperationStepsFactory> factory) {
			return () -> mappings.stream()
				.flatMap((mapping) -> mapping.getHandlerMethods().values().stream())
				.flatMap((handler) -> Arrays.stream(handler.getMethodParameters()))
				.filter((parameter) -> parameter.getParameterType() == OperationSteps.class)
				.forEach((parameter) -> {
					requireIdempotent(parameter);
					factory.getObject();
				});
		}

		private static void requireIdempotent(MethodParameter parameter) {
			boolean idempotent = AnnotatedElementUtils.hasAnnotation(parameter.getExecutable(), ApiIdempotent.class)
					|| AnnotatedElementUtils.hasAnnotation(parameter.getContainingClass(), ApiIdempotent.class);
			if (!idempotent && !parameter.isOptional()) {
				throw new InvalidConfigurationException("The handler method", parameter.getExecutable().toString(),
						"it has an OperationSteps parameter, but is not idempotent",
						"Annotate it with @ApiIdempotent, or remove the parameter");
			}
		}

	}

	/** Its condition is evaluated after those of the database. */
	@Configuration(proxyBeanMethods = false)
	@Order(2)
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnBean(StepAdministration.class)
	@ConditionalOnAvailableEndpoint(StepsEndpoint.class)
	@RegisterReflectionForBinding({ StepsEndpoint.UnfinishedBody.class, StepsEndpoint.OperationBody.class,
			StepsEndpoint.ErrorBody.class })
	static class EndpointConfiguration {

		@Bean("io.idempotent.stepsEndpoint")
		@ConditionalOnMissingBean
		StepsEndpoint stepsEndpoint(StepAdministration administration) {
			return new StepsEndpoint(administration);
		}

	}

	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/idempotent/steps/schema-*.sql");
		}

	}

}
