package io.idempotent.steps.autoconfigure;

import io.idempotent.steps.StepAdministration;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the endpoint {@code idempotentsteps}.
 */
@AutoConfiguration(after = StepsAutoConfiguration.class)
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(StepAdministration.class)
@ConditionalOnAvailableEndpoint(StepsEndpoint.class)
@RegisterReflectionForBinding({ StepsEndpoint.UnfinishedBody.class, StepsEndpoint.OperationBody.class,
		StepsEndpoint.ErrorBody.class })
public final class StepsEndpointAutoConfiguration {

	@Bean("io.idempotent.stepsEndpoint")
	@ConditionalOnMissingBean
	StepsEndpoint stepsEndpoint(StepAdministration administration) {
		return new StepsEndpoint(administration);
	}

}
