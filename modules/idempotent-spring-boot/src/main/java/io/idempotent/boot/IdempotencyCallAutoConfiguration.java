package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.boot.internal.json.JacksonCallJson;
import io.idempotent.boot.internal.policy.PropertiesOperationPolicies;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.start.AnnotationChecks;
import io.idempotent.boot.internal.start.ContextCheck;
import io.idempotent.boot.internal.start.ProxyChecks;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.method.DefaultIdempotencyTemplate;
import io.idempotent.method.IdempotentBatches;
import io.idempotent.method.IdempotentMethodInterceptor;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.method.OperationNames;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperations;
import io.idempotent.method.json.CallJson;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.TargetInterceptor;
import io.idempotent.transaction.TransactionObserver;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for {@link Idempotent} methods and {@link IdempotencyTemplate}.
 */
@AutoConfiguration(
		after = { IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class,
				GuardAutoConfiguration.class },
		afterName = { "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
				"org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration" })
@ConditionalOnClass(IdempotencyGate.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@Import(StartUpAutoConfiguration.UnprotectedBeanConfiguration.class)
public final class IdempotencyCallAutoConfiguration {

	private static final String TARGET_ADVISOR = "io.idempotent.idempotentTargetAdvisor";

	/** A child context shares the calls of its parent, as the template does. */
	@Bean("io.idempotent.idempotencyCallExecutor")
	@ConditionalOnMissingBean
	CallExecutor idempotencyCallExecutor(IdempotencyGate gate, Environment environment, IdempotentProperties properties,
			OperationPolicies policies, ObjectProvider<CallJson> json, ObjectProvider<OutcomeVerifier> verifier) {
		return new CallExecutor(gate, Namespace.in(environment), new CallOperations(policies, json.getIfAvailable(),
				Math.toIntExact(properties.call().maxResult().toBytes()), verifier.getIfAvailable() != null));
	}

	@Bean("io.idempotent.idempotentMethods")
	IdempotentMethods idempotentMethods(CallExecutor calls, OperationNames names, BeanFactory beans) {
		return new IdempotentMethods(calls, names, beans);
	}

	/** Warns once the names are known. A test slice lacks operations. */
	@Bean("io.idempotent.idempotentMethodCheck")
	ContextCheck idempotentMethodCheck(IdempotentMethods methods, ConfigurableListableBeanFactory own,
			OperationNames names, IdempotentBatches batches, ObjectProvider<PropertiesOperationPolicies> policies,
			ObjectProvider<TestSliceAutoConfiguration> slice) {
		return new ContextCheck(own, (beans) -> {
			AnnotationChecks.requireWorkingMethods(methods, beans);
			ProxyChecks.warnOfClients(beans, Idempotent.class);
			ProxyChecks.requireSiblings(beans, IdempotencyCallAutoConfiguration::isTarget);
			AnnotationChecks.requireInsideTransactions(TARGET_ADVISOR, beans);
			if (beans == own && slice.getIfAvailable() == null) {
				SortedSet<String> known = names.taken();
				known.addAll(batches.names());
				policies.ifAvailable((properties) -> properties.warnOfUnknown(known));
			}
		});
	}

	@Bean("io.idempotent.idempotencyTemplate")
	@ConditionalOnMissingBean(IdempotencyTemplate.class)
	DefaultIdempotencyTemplate idempotencyTemplate(CallExecutor calls) {
		return new DefaultIdempotencyTemplate(calls);
	}

	@Bean("io.idempotent.idempotentBatches")
	@ConditionalOnMissingBean
	IdempotentBatches idempotentBatches(CallExecutor calls) {
		return new IdempotentBatches(calls);
	}

	/** Created early, so its beans are looked up only at the first call. */
	@Bean("io.idempotent.idempotentAdvisor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotatedMethodAdvisor idempotentAdvisor(ObjectProvider<IdempotentMethods> methods) {
		SingletonSupplier<IdempotentMethodInterceptor> supplier = SingletonSupplier
			.of(() -> new IdempotentMethodInterceptor(methods.getObject()));
		return new AnnotatedMethodAdvisor(IdempotencyCallAutoConfiguration::isOperation, AdvisorOrder.IDEMPOTENCY,
				(invocation) -> supplier.obtain().invoke(invocation));
	}

	@Bean("io.idempotent.idempotencyTransactionObserver")
	@ConditionalOnMissingBean
	TransactionObserver idempotencyTransactionObserver() {
		return new TransactionObserver();
	}

	/**
	 * Spring Boot registers observers only with the transaction managers that it creates.
	 * A transaction of another one would leave no receipt.
	 */
	@Bean("io.idempotent.idempotencyTransactionObservers")
	static BeanPostProcessor idempotencyTransactionObservers(ObjectProvider<TransactionObserver> observers) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				if (bean instanceof PlatformTransactionManager
						&& bean instanceof ConfigurableTransactionManager manager) {
					List<TransactionExecutionListener> listeners = new ArrayList<>(
							manager.getTransactionExecutionListeners());
					observers.orderedStream()
						.filter((observer) -> !listeners.contains(observer))
						.forEachOrdered(listeners::add);
					manager.setTransactionExecutionListeners(listeners);
				}
				return bean;
			}

		};
	}

	/**
	 * For handler methods too. Inside the transaction: same order as its advisor, but
	 * registered after it. A child context, whose own one would come before the advisor
	 * of its parent, uses that of the parent.
	 */
	@Bean(TARGET_ADVISOR)
	@ConditionalOnMissingBean(name = TARGET_ADVISOR)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotatedMethodAdvisor idempotentTargetAdvisor() {
		return new AnnotatedMethodAdvisor(IdempotencyCallAutoConfiguration::isTarget, Ordered.LOWEST_PRECEDENCE,
				new TargetInterceptor());
	}

	private static boolean isTarget(Method method, Class<?> type) {
		return isOperation(method, type) || MethodAnnotations.isOfServer(method, type, ApiIdempotent.class);
	}

	private static boolean isOperation(Method method, Class<?> type) {
		return MethodAnnotations.findOnNonPrivate(method, type, Idempotent.class) != null
				&& !MethodAnnotations.isOfClient(method, type);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JsonMapper.class)
	static class JsonConfiguration {

		@Bean("io.idempotent.idempotencyCallJson")
		@ConditionalOnMissingBean
		CallJson idempotencyCallJson(ObjectProvider<JsonMapper> mapper) {
			return new JacksonCallJson(mapper.getIfUnique(() -> JsonMapper.builder().build()));
		}

	}

}
