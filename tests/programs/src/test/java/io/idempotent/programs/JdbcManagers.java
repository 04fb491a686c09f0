package io.idempotent.programs;

import javax.sql.DataSource;

import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;

/**
 * JDBC alone manages the transactions of the guarded database.
 */
@Configuration(proxyBeanMethods = false)
class JdbcManagers {

	@Bean
	@Primary
	JdbcTransactionManager main(DataSource guarded, TransactionManagerCustomizers customizers) {
		return NodeApplication.customized(new JdbcTransactionManager(guarded) {

			private static final long serialVersionUID = 1L;

			@Override
			protected void doBegin(Object transaction, TransactionDefinition definition) {
				((WatchedDataSource) guarded).requireConnection();
				super.doBegin(transaction, definition);
			}

		}, customizers);
	}

}
