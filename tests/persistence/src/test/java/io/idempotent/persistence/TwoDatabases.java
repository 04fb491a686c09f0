package io.idempotent.persistence;

import javax.sql.DataSource;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.jooq.autoconfigure.JooqAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * An application with JPA on two databases, neither of which is the primary one. Payments
 * take effect in the first one.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = { DataJpaRepositoriesAutoConfiguration.class, JooqAutoConfiguration.class })
@Import(Till.class)
class TwoDatabases {

	@Bean
	DataSource payments(Environment environment) {
		return new DriverManagerDataSource(environment.getRequiredProperty("test.payments"));
	}

	@Bean
	DataSource reports(Environment environment) {
		return new DriverManagerDataSource(environment.getRequiredProperty("test.reports"));
	}

	@Bean
	LocalContainerEntityManagerFactoryBean paymentEntities(@Qualifier("payments") DataSource payments) {
		return entities("payments", payments);
	}

	@Bean
	LocalContainerEntityManagerFactoryBean reportEntities(@Qualifier("reports") DataSource reports) {
		return entities("reports", reports);
	}

	private static LocalContainerEntityManagerFactoryBean entities(String unit, DataSource dataSource) {
		LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
		factory.setPersistenceUnitName(unit);
		factory.setDataSource(dataSource);
		factory.setPackagesToScan(Payment.class.getPackageName());
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		return factory;
	}

	@Bean
	PlatformTransactionManager paymentTransactions(@Qualifier("paymentEntities") EntityManagerFactory entities) {
		return new JpaTransactionManager(entities);
	}

	@Bean
	PlatformTransactionManager reportTransactions(@Qualifier("reportEntities") EntityManagerFactory entities) {
		return new JpaTransactionManager(entities);
	}

	@Bean("JPA")
	Library jpaLibrary(@Qualifier("paymentEntities") EntityManagerFactory entities) {
		EntityManager manager = SharedEntityManagerCreator.createSharedEntityManager(entities);
		return (payment) -> manager.persist(new Payment(payment));
	}

}
