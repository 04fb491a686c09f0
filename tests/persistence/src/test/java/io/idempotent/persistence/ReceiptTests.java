package io.idempotent.persistence;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

/**
 * An effect that a library has written, and its receipt, are committed together or not at
 * all.
 */
@Tag("slow")
class ReceiptTests {

	private static final AtomicReference<Runnable> inTransaction = new AtomicReference<>();

	private static Database database;

	private static Shops shops;

	private final String payment = UUID.randomUUID().toString();

	@BeforeAll
	static void start() {
		database = new Database();
		shops = Shops.start(database.payments(), database.reports(), () -> inTransaction.get().run());
	}

	@AfterAll
	static void stop() {
		shops.close();
	}

	@BeforeEach
	void prepare() {
		database.forgetReceipts();
		inTransaction.set(() -> {
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "MyBatis", "jOOQ", "JdbcClient", "JPA" })
	void areWrittenByOneTransaction(String library) {
		assertThat(shops.pay(library, this.payment)).isEqualTo("paid " + this.payment);
		assertThat(database.count(this.payment)).isOne();
		assertThat(database.receipts()).isOne();
		assertThat(database.transactions(this.payment)).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "MyBatis", "jOOQ", "JdbcClient", "JPA" })
	void areRolledBackTogether(String library) {
		inTransaction.set(() -> {
			throw new IllegalStateException("planned");
		});
		assertThatIllegalStateException().isThrownBy(() -> shops.pay(library, this.payment));
		assertThat(database.count(this.payment)).isZero();
		assertThat(database.receipts()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "MyBatis", "jOOQ", "JdbcClient", "JPA" })
	void areNotWrittenAgainAfterTheRecordIsLost(String library) {
		String first = shops.pay(library, this.payment);
		database.forgetRecords();
		assertThat(shops.pay(library, this.payment)).isEqualTo(first);
		assertThat(database.count(this.payment)).isOne();
		assertThat(database.receipts()).isOne();
	}

	@Test
	void areWrittenByATransactionOfJooqItself() {
		DSLContext jooq = shops.one().getBean(DSLContext.class);
		Library work = (id) -> jooq.transaction(
				(configuration) -> configuration.dsl().insertInto(table("payment"), field("id")).values(id).execute());
		shops.payInTransactionOfLibrary("jOOQ", work, this.payment);
		assertThat(database.count(this.payment)).isOne();
		assertThat(database.transactions(this.payment)).hasSize(1);
	}

	@Test
	void areNotWrittenByATransactionOnAnotherDatabase() {
		TransactionTemplate reports = new TransactionTemplate(
				shops.two().getBean("reportTransactions", PlatformTransactionManager.class));
		JdbcClient sql = JdbcClient.create(new DriverManagerDataSource(database.reports()));
		Library work = (id) -> reports
			.executeWithoutResult((status) -> sql.sql("insert into payment (id) values (?)").param(id).update());
		shops.payInTransactionOfLibrary("JPA", work, this.payment);
		assertThat(database.receipts()).isZero();
	}

}
