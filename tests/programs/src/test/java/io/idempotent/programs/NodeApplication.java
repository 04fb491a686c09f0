package io.idempotent.programs;

import javax.sql.DataSource;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import jakarta.persistence.EntityManagerFactory;

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
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
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

	private static <T extends AbstractPlatformTransactionManager> T customized(T manager,
			TransactionManagerCustomizers customizers) {
		customizers.customize(manager);
		return manager;
	}

	@Bean
	CalledMethods calledMethods() {
		return new CalledMethods();
	}

	@Bean
	CalledController calledController() {
		return new CalledController();
	}

	@Bean
	LockedMethods lockedMethodsOfPrograms() {
		return new LockedMethods();
	}

	@Bean
	EventListeners eventListeners() {
		return new EventListeners();
	}

	/**
	 * JDBC alone manages the transactions of the guarded database.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Jdbc {

		@Bean
		@Primary
		JdbcTransactionManager main(DataSource guarded, TransactionManagerCustomizers customizers) {
			return customized(new JdbcTransactionManager(guarded) {

				private static final long serialVersionUID = 1L;

				@Override
				protected void doBegin(Object transaction, TransactionDefinition definition) {
					((WatchedDataSource) guarded).requireConnection();
					super.doBegin(transaction, definition);
				}

			}, customizers);
		}

	}

	/**
	 * JPA manages them, and SQL is written by its connections.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Jpa {

		@Bean
		LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource guarded) {
			LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
			factory.setDataSource(guarded);
			factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
			factory.setManagedTypes(PersistenceManagedTypes.of());
			return factory;
		}

		@Bean
		@Primary
		JpaTransactionManager main(DataSource guarded, EntityManagerFactory factory,
				TransactionManagerCustomizers customizers) {
			JpaTransactionManager manager = new JpaTransactionManager(factory) {

				private static final long serialVersionUID = 1L;

				@Override
				protected void doBegin(Object transaction, TransactionDefinition definition) {
					((WatchedDataSource) guarded).requireConnection();
					super.doBegin(transaction, definition);
				}

			};
			// As with JDBC: savepoints are those of the connection.
			manager.setNestedTransactionAllowed(true);
			return customized(manager, customizers);
		}

	}

}
