package io.idempotent.jpa;

import javax.sql.DataSource;

import jakarta.persistence.EntityManager;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The application on one of several nodes that share a database and nothing else, as if
 * the store had forgotten everything in between.
 *
 * @param context what runs
 */
record Node(ConfigurableApplicationContext context) implements AutoCloseable {

	static Node start(DataSource database, String... properties) {
		return start(WebApplicationType.NONE, database, properties);
	}

	static Node start(WebApplicationType type, DataSource database, String... properties) {
		return new Node(new SpringApplicationBuilder(Shop.class).web(type)
			.properties(properties)
			.initializers((GenericApplicationContext context) -> context.registerBean(DataSource.class, () -> database))
			.run());
	}

	Till till() {
		return this.context.getBean(Till.class);
	}

	EntityManager entities() {
		return this.context.getBean(EntityManager.class);
	}

	void sell(String payment) {
		entities().persist(new Sale(payment));
	}

	void inTransaction(Runnable work) {
		inTransaction(new DefaultTransactionDefinition(), work);
	}

	void inReadOnlyTransaction(Runnable work) {
		DefaultTransactionDefinition readOnly = new DefaultTransactionDefinition();
		readOnly.setReadOnly(true);
		inTransaction(readOnly, work);
	}

	private void inTransaction(TransactionDefinition definition, Runnable work) {
		new TransactionTemplate(this.context.getBean(JpaTransactionManager.class), definition)
			.executeWithoutResult((status) -> work.run());
	}

	@Override
	public void close() {
		this.context.close();
	}

}
