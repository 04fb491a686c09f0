package io.idempotent.boot;

import java.util.List;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.OperationPolicies;
import io.idempotent.method.BodyInterceptor;
import io.idempotent.method.CallCompletion;
import io.idempotent.method.CallJson;
import io.idempotent.method.CallOperations;
import io.idempotent.method.DefaultIdempotencyTemplate;
import io.idempotent.method.CallExecutor;
import io.idempotent.method.IdempotentInterceptor;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.method.JacksonCallJson;
import io.idempotent.method.OperationNames;
import io.idempotent.method.AfterTransactionCompletion;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.transaction.TransactionObserver;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for operations that are calls: methods that are {@link Idempotent},
 * and the template.
 */
@AutoConfiguration(
		after = { IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class,
				GuardAutoConfiguration.class },
		afterName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(IdempotencyGate.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class IdempotencyCallAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CallExecutor idempotencyCalls(IdempotencyGate gate, IdempotentProperties properties, Environment environment,
			ObjectProvider<CallCompletion> ends, ObjectProvider<CallJson> json) {
		return new CallExecutor(gate, Namespace.in(environment), ends.getIfAvailable(() -> CallCompletion.AT_ONCE),
				json.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	CallOperations idempotencyCallOperations(IdempotentProperties properties, OperationPolicies policies,
			ObjectProvider<CallJson> json, ObjectProvider<OutcomeVerifier> verifier) {
		return new CallOperations(policies, json.getIfAvailable(),
				Math.toIntExact(properties.call().maxResult().toBytes()), verifier.getIfAvailable() != null);
	}

	@Bean
	IdempotentMethods idempotentMethods(CallOperations operations, OperationNames names, BeanFactory beans) {
		return new IdempotentMethods(operations, names, beans);
	}

	@Bean
	IdempotentInterceptor idempotentInterceptor(IdempotentMethods methods, CallExecutor calls) {
		return new IdempotentInterceptor(methods, calls);
	}

	@Bean
	IdempotentMethodCheck idempotentMethodCheck(IdempotentMethods methods, ConfigurableListableBeanFactory beans) {
		return new IdempotentMethodCheck(methods, beans);
	}

	/**
	 * A slice of the application knows a part of its operations only.
	 */
	@Bean
	@ConditionalOnMissingBean(TestSliceAutoConfiguration.class)
	UnknownOperationWarning idempotencyUnknownOperationWarning(OperationNames names,
			ObjectProvider<PropertiesOperationPolicies> policies) {
		return new UnknownOperationWarning(names, policies);
	}

	@Bean
	@ConditionalOnMissingBean(IdempotencyTemplate.class)
	DefaultIdempotencyTemplate idempotencyTemplate(CallOperations operations, CallExecutor calls) {
		return new DefaultIdempotencyTemplate(operations, calls);
	}

	/**
	 * An infrastructure bean that needs no other: what it runs is looked up with the
	 * first call.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(name = "idempotentAdvisor")
	static AnnotatedMethodAdvisor idempotentAdvisor(ObjectProvider<IdempotentInterceptor> interceptor) {
		SingletonSupplier<IdempotentInterceptor> known = SingletonSupplier.of(interceptor::getObject);
		return new AnnotatedMethodAdvisor(List.of(Idempotent.class), AdvisorOrder.IDEMPOTENCY,
				(invocation) -> known.obtain().invoke(invocation));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(TransactionSynchronizationManager.class)
	static class TransactionConfiguration {

		@Bean
		@ConditionalOnMissingBean
		CallCompletion idempotencyCallEnds() {
			return new AfterTransactionCompletion();
		}

		/**
		 * Among the listeners of all transaction managers.
		 */
		@Bean
		@ConditionalOnMissingBean
		TransactionObserver idempotencyTransactionObserver() {
			return new TransactionObserver();
		}

		@Bean
		static TransactionObservers idempotencyTransactionObservers(ObjectProvider<TransactionObserver> observers) {
			return new TransactionObservers(observers);
		}

		/**
		 * Behind the advisor of transactions, which has the same order and comes first
		 * because it is there first.
		 */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnMissingBean(name = "idempotentBodyAdvisor")
		static AnnotatedMethodAdvisor idempotentBodyAdvisor() {
			return new AnnotatedMethodAdvisor(List.of(Idempotent.class), Ordered.LOWEST_PRECEDENCE,
					new BodyInterceptor());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JsonMapper.class)
	static class JsonConfiguration {

		@Bean
		@ConditionalOnMissingBean
		CallJson idempotencyCallJson(ObjectProvider<JsonMapper> mapper) {
			return new JacksonCallJson(mapper.getIfUnique(() -> JsonMapper.builder().build()));
		}

	}

}
