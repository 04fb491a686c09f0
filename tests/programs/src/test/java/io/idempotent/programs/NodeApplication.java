package io.idempotent.programs;

import javax.sql.DataSource;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/**
 * An application with two databases, of which one is guarded.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
		IdempotencyWebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
		WebMvcAutoConfiguration.class, IdempotencyCallAutoConfiguration.class, GuardAutoConfiguration.class,
		LockAutoConfiguration.class, TransactionAutoConfiguration.class,
		TransactionManagerCustomizationAutoConfiguration.class })
@Import({ CalledMethods.class, CalledController.class, LockedMethods.class, EventListeners.class })
class NodeApplication {

	@Bean
	DataSourceTransactionManager same(DataSource guarded, TransactionManagerCustomizers customizers) {
		return customized(new DataSourceTransactionManager(guarded), customizers);
	}

	@Bean
	DataSourceTransactionManager other(@Qualifier("otherDataSource") DataSource other,
			TransactionManagerCustomizers customizers) {
		return customized(new DataSourceTransactionManager(other), customizers);
	}

	static <T extends AbstractPlatformTransactionManager> T customized(T manager,
			TransactionManagerCustomizers customizers) {
		customizers.customize(manager);
		return manager;
	}

}
