package io.idempotent.steps.autoconfigure;

import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.internal.SwitchedOffSteps;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Steps run without records in test slices such as {@code @WebMvcTest}, which have no
 * database. Imported only by Spring Boot's test slices.
 */
@AutoConfiguration
@Import(StepsAutoConfiguration.WebMvcConfiguration.class)
public final class StepsTestSliceAutoConfiguration {

	@Bean("io.idempotent.operationSteps")
	@ConditionalOnMissingBean
	OperationStepsFactory operationSteps() {
		return new SwitchedOffSteps(null);
	}

}
