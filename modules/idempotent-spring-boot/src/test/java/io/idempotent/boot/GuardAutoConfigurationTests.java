package io.idempotent.boot;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.submission.receipt.Receipts;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * What guards the database of the application, and which of several it is.
 */
class GuardAutoConfigurationTests {

	private final DataSource orders = database();

	private final DataSource reports = database();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(GuardAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				StartUpAutoConfiguration.class))
		.withBean("orders", DataSource.class, () -> this.orders)
		.withPropertyValues("idempotent.store.type=local", "idempotent.guard.enabled=true",
				"idempotent.initialize-schema=always");

	private final ApplicationContextRunner guard = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(GuardAutoConfiguration.class))
		.withBean(DataSource.class, () -> this.orders)
		.withPropertyValues("idempotent.guard.enabled=true");

	@Test
	void nothingIsGuardedUnlessAskedFor() {
		this.guard.withPropertyValues("idempotent.guard.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(FenceGuard.class).doesNotHaveBean(Receipts.class));
		this.guard.withPropertyValues("idempotent.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(FenceGuard.class));
	}

	@Test
	void receiptsMayBeLeftOut() {
		this.guard.withPropertyValues("idempotent.guard.receipt.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(FenceGuard.class)
				.doesNotHaveBean(Receipts.class)
				.doesNotHaveBean(GuardPurge.class)
				.doesNotHaveBean(ReceiptRegistrar.class));
	}

	@Test
	void theGuardIsFullyConfigured() {
		this.guard.run((context) -> assertThat(context).hasSingleBean(ReceiptGuard.class)
			.hasSingleBean(GuardPurge.class)
			.hasSingleBean(ReceiptRegistrar.class));
		assertGuarded(this.orders);
	}

	@Test
	void receiptsOfTheApplicationReplaceTheDefault() {
		this.guard.withBean(Receipts.class, () -> mock())
			.run((context) -> assertThat(context).hasSingleBean(Receipts.class)
				.hasSingleBean(FenceGuard.class)
				.doesNotHaveBean(GuardPurge.class)
				.doesNotHaveBean(ReceiptRegistrar.class));
	}

	@Test
	void isTheOneThatAPropertyNames() {
		withTwo().withPropertyValues("idempotent.guard.data-source=reports")
			.run((context) -> assertThat(context).hasSingleBean(ReceiptGuard.class));
		assertGuarded(this.reports);
		assertThat(tables(this.orders)).doesNotContain("IDEMPOTENT_RECEIPT");
	}

	@Test
	void isThePrimaryOne() {
		this.runner.withBean("reports", DataSource.class, () -> this.reports, (bean) -> bean.setPrimary(true))
			.run((context) -> assertThat(context).hasNotFailed());
		assertGuarded(this.reports);
	}

	@Test
	void mustBeUnambiguous() {
		withTwo().run((context) -> assertRefused(context,
				"none of them is @Primary, and receipts and fences belong to one: orders, reports",
				"idempotent.guard.data-source=<name of the bean>"));
	}

	@Test
	void mustExist() {
		withTwo().withPropertyValues("idempotent.guard.data-source=order")
			.run((context) -> assertRefused(context,
					"idempotent.guard.data-source is 'order', but there is no DataSource bean of this name",
					"Write one of orders, reports"));
	}

	private ApplicationContextRunner withTwo() {
		return this.runner.withBean("reports", DataSource.class, () -> this.reports);
	}

	private static DataSource database() {
		return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
	}

	private static void assertGuarded(DataSource database) {
		assertThat(tables(database)).contains("IDEMPOTENT_RECEIPT");
	}

	private static List<String> tables(DataSource database) {
		return new JdbcTemplate(database).queryForList("select table_name from information_schema.tables",
				String.class);
	}

	private static void assertRefused(AssertableApplicationContext context, String description, String action) {
		assertThat(context).hasFailed();
		var analysis = new StartUpFailureAnalyzer(null).analyze(context.getStartupFailure());
		assertThat(analysis.getDescription()).contains(description);
		assertThat(analysis.getAction()).contains(action);
	}

}
