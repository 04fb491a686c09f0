package io.idempotent.persistence;

import java.util.List;

import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.testing.TestPostgres;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A real PostgreSQL with a database of payments and another one.
 */
final class Database implements AutoCloseable {

	private final TestPostgres server = TestPostgres.start();

	private final JdbcClient sql;

	Database() {
		DriverManagerDataSource payments = new DriverManagerDataSource(payments());
		new ResourceDatabasePopulator(new ClassPathResource("schema-postgresql.sql", JdbcIdempotencyStore.class))
			.execute(payments);
		this.sql = JdbcClient.create(payments);
		// Without a unique key, so that nothing but a receipt refuses a second row.
		this.sql.sql("create table payment (id varchar(100) not null)").update();
		this.sql.sql("create database reports").update();
		JdbcClient.create(new DriverManagerDataSource(reports()))
			.sql("create table payment (id varchar(100) not null)")
			.update();
	}

	String payments() {
		return this.server.url();
	}

	String reports() {
		return payments().replace("/postgres?", "/reports?");
	}

	long count(String payment) {
		return this.sql.sql("select count(*) from payment where id = ?").param(payment).query(Long.class).single();
	}

	long receipts() {
		return this.sql.sql("select count(*) from idempotent_receipt").query(Long.class).single();
	}

	/**
	 * The transactions that have written a payment and its only receipt.
	 */
	List<String> transactions(String payment) {
		return this.sql.sql("select distinct xmin::text from "
				+ "(select xmin from payment where id = ? union all select xmin from idempotent_receipt) as written")
			.param(payment)
			.query(String.class)
			.list();
	}

	void forgetRecords() {
		this.sql.sql("delete from idempotent_record").update();
	}

	void forgetReceipts() {
		this.sql.sql("delete from idempotent_receipt").update();
	}

	@Override
	public void close() {
		this.server.close();
	}

}
