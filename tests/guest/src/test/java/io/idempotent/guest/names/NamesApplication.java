package io.idempotent.guest.names;

import java.util.List;

import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Has beans with names that a library of its purpose would choose.
 */
@SpringBootApplication
@Import(NamesApplication.Names.class)
public class NamesApplication {

	static class Names implements ImportBeanDefinitionRegistrar {

		private static final List<String> ALL = List.of("distributedLockedAdvisor", "distributedLocks", "fenceGuard",
				"guardedDatabase", "idempotencyExceptionResolver", "idempotencyFilter", "idempotencyGate",
				"idempotencyHandlerAdapter", "idempotencyOperationPolicies", "idempotencyStore", "idempotencyTemplate",
				"idempotencyTokens", "idempotencyWebMvcConfigurer", "idempotentAdvisor", "idempotentInterceptor",
				"idempotentMethods", "httpIdempotency", "localLockEngine", "jdbcLockEngine", "lockExceptionResolver",
				"lockMetrics", "lockObserver", "lockRegistry", "lockTemplate", "receiptGuard", "redissonClient",
				"webHandler");

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			ALL.forEach((name) -> registry.registerBeanDefinition(name,
					BeanDefinitionBuilder.genericBeanDefinition(StringBuilder.class).getBeanDefinition()));
		}

	}

}
