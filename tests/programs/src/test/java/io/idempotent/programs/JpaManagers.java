package io.idempotent.programs;

import javax.sql.DataSource;

import jakarta.persistence.EntityManagerFactory;

import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;

/**
 * JPA manages the transactions of the guarded database, and SQL is sent on their
 * connections. Hibernate has no savepoints.
 */
@Configuration(proxyBeanMethods = false)
class JpaManagers {

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
		return NodeApplication.customized(new JpaTransactionManager(factory) {

			private static final long serialVersionUID = 1L;

			@Override
			protected void doBegin(Object transaction, TransactionDefinition definition) {
				((WatchedDataSource) guarded).requireConnection();
				super.doBegin(transaction, definition);
			}

		}, customizers);
	}

}
