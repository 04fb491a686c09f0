package io.idempotent.persistence;

import org.apache.ibatis.annotations.Mapper;
import org.jooq.DSLContext;
import org.mybatis.spring.annotation.MapperScan;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

/**
 * An application with MyBatis, jOOQ and {@code JdbcClient} on one database, as Spring
 * Boot sets them up.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
@MapperScan(basePackageClasses = PaymentMapper.class, annotationClass = Mapper.class)
@Import(Till.class)
class OneDatabase {

	/** The names by which {@link Till} and the tests ask for beans of Spring Boot. */
	@Bean
	static BeanFactoryPostProcessor names() {
		return (beans) -> {
			beans.registerAlias("transactionManager", "paymentTransactions");
			beans.registerAlias("paymentMapper", "MyBatis");
		};
	}

	@Bean("jOOQ")
	Library jooqLibrary(DSLContext jooq) {
		return (payment) -> jooq.insertInto(table("payment"), field("id")).values(payment).execute();
	}

	@Bean("JdbcClient")
	Library jdbcLibrary(JdbcClient jdbc) {
		return (payment) -> jdbc.sql("insert into payment (id) values (?)").param(payment).update();
	}

}
