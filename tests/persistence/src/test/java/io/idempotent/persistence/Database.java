package io.idempotent.persistence;

import java.util.List;

import io.idempotent.testing.Schemas;
import io.idempotent.testing.TestPostgres;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A database of payments and another one, of a real PostgreSQL.
 */
final class Database {

	private final String payments = TestPostgres.newDatabase();

	private final String reports = TestPostgres.newDatabase();

	private final JdbcClient sql = JdbcClient.create(new DriverManagerDataSource(this.payments));

	Database() {
		Schemas.create(new DriverManagerDataSource(this.payments), "postgresql", "jdbc/store");
		for (String url : List.of(this.payments, this.reports)) {
			// Without a unique key, so that nothing but a receipt refuses a second row.
			JdbcClient.create(new DriverManagerDataSource(url))
				.sql("create table payment (id varchar(100) not null)")
				.update();
		}
	}

	String payments() {
		return this.payments;
	}

	String reports() {
		return this.reports;
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

}
