package io.idempotent.steps.autoconfigure;

import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.internal.SwitchedOffSteps;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration for operations with steps while this library is switched off: their
 * code still works.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
		"org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", havingValue = false)
@ConditionalOnSingleCandidate(PlatformTransactionManager.class)
@Import(StepsAutoConfiguration.WebMvcConfiguration.class)
public final class SwitchedOffStepsAutoConfiguration {

	@Bean("io.idempotent.operationSteps")
	@ConditionalOnMissingBean
	OperationStepsFactory operationSteps(PlatformTransactionManager manager) {
		return new SwitchedOffSteps(manager);
	}

}
