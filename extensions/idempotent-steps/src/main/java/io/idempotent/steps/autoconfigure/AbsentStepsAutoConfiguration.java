package io.idempotent.steps.autoconfigure;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.autoconfigure.StepsProperties.Store;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration for an application in which steps have no store: it fails the start
 * if somebody needs steps.
 */
@AutoConfiguration(after = StepsAutoConfiguration.class)
@ConditionalOnBean(StepsProperties.class)
public final class AbsentStepsAutoConfiguration {

	@Bean("io.idempotent.operationSteps")
	@Lazy
	@ConditionalOnMissingBean
	@SuppressWarnings("DoNotCallSuggester") // Spring calls it
	OperationStepsFactory operationSteps(StepsProperties steps) {
		throw (steps.store() == Store.REDIS)
				? new InvalidConfigurationException(StepsProperties.STORE, "redis",
						"there are operations with steps, but no RedisConnectionFactory bean", "Configure Redis")
				: new InvalidConfigurationException("idempotent.guard.enabled", "false",
						"there are operations with steps, which are kept in the guarded database",
						"Set idempotent.guard.enabled=true and configure a database");
	}

}
