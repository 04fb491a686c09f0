package io.idempotent.persistence;

import java.util.Map;

import org.apache.ibatis.annotations.Mapper;
import org.jooq.DSLContext;
import org.mybatis.spring.annotation.MapperScan;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Bean;
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
class OneDatabase {

	/** The name by which {@link Till} asks for it. */
	@Bean
	static BeanFactoryPostProcessor nameOfTheManager() {
		return (beans) -> beans.registerAlias("transactionManager", "paymentTransactions");
	}

	@Bean
	Till till(Interruption interruption) {
		return new Till(interruption);
	}

	@Bean
	Libraries libraries(PaymentMapper mapper, DSLContext jooq, JdbcClient jdbc) {
		return new Libraries(Map.of("MyBatis", mapper, "jOOQ",
				(payment) -> jooq.insertInto(table("payment"), field("id")).values(payment).execute(), "JdbcClient",
				(payment) -> jdbc.sql("insert into payment (id) values (?)").param(payment).update()));
	}

}
