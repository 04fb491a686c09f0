package io.idempotent.boot;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.LockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * A guard or a lock engine without its table fails the start, and says how to get it.
 */
@ExtendWith(OutputCaptureExtension.class)
class RequiredTableTests {

	private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, GuardAutoConfiguration.class,
				LockAutoConfiguration.class, IdempotencyAutoConfiguration.class, StartUpAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	private final ApplicationContextRunner runner = this.withoutDatabase
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());

	/** As with the starter for databases. */
	private final ApplicationContextRunner database = this.runner.withPropertyValues("idempotent.store.type=jdbc",
			"idempotent.lock.engines=jdbc", "idempotent.initialize-schema=never");

	@Test
	void aTableOfAnotherNameIsNotCreated() {
		this.runner
			.withPropertyValues("idempotent.guard.enabled=true", "idempotent.initialize-schema=always",
					"idempotent.guard.receipt.table=shop_receipt")
			.run((context) -> assertRefused(context,
					"idempotent.guard.receipt.table is 'shop_receipt', but the database has no such table",
					"idempotent.initialize-schema creates the table 'idempotent_receipt' only"));
	}

	@ParameterizedTest
	@CsvSource({ "jdbc, idempotent.lock.jdbc.table, idempotent_lock",
			"jdbc-transaction, idempotent.lock.jdbc.transaction-table, idempotent_transaction_lock" })
	void anEngineInADatabaseNeedsItsTable(String engine, String property, String table) {
		this.runner.withBean(Locked.class)
			.withPropertyValues("idempotent.lock.engines=" + engine, "idempotent.initialize-schema=never")
			.run((context) -> assertRefused(context,
					property + " is '" + table + "', but the database has no such table",
					"idempotent.initialize-schema=always"));
	}

	@Test
	void allThatIsMissingIsReportedAtOnce() {
		this.database.withBean(Locked.class)
			.withPropertyValues("idempotent.guard.enabled=true")
			.run((context) -> assertRefused(context,
					Stream
						.of("store.jdbc.table is 'idempotent_record", "guard.receipt.table is 'idempotent_receipt",
								"lock.jdbc.table is 'idempotent_lock", "lock.jdbc.table is 'idempotent_lock_reader")
						.map((table) -> "idempotent." + table + "', but the database has no such table")
						.toList(),
					List.of("""
							Create the missing tables in one of these ways:
							- by the application itself: idempotent.initialize-schema=always
							- by a script: classpath:io/idempotent/jdbc/receipt/schema-h2.sql for 'idempotent_receipt'
							- by a script: classpath:io/idempotent/jdbc/store/schema-h2.sql for 'idempotent_record'
							- by a script: classpath:io/idempotent/lock/jdbc/schema-h2.sql for 'idempotent_lock'
							- by a script: classpath:io/idempotent/lock/jdbc/schema-h2.sql for 'idempotent_lock_reader'""")));
	}

	@Test
	void withoutALockInUseOnlyRecordsNeedATable() {
		this.database.run((context) -> {
			assertRefused(context, "idempotent.store.jdbc.table is 'idempotent_record'",
					"classpath:io/idempotent/jdbc/store/schema-h2.sql");
			assertThat(context.getStartupFailure()).hasMessageNotContaining("idempotent_lock");
		});
	}

	@Test
	void aBeanWithALockTemplateNeedsTheTableOfLocks() {
		this.database.withBean(Stock.class)
			.run((context) -> assertRefused(context, "idempotent.lock.jdbc.table is 'idempotent_lock'",
					"classpath:io/idempotent/lock/jdbc/schema-h2.sql"));
	}

	@Test
	void recordsAndLocksNeedADataSourceThatDoesNotRoute() {
		assertRefusesRouting(new LazyConnectionDataSourceProxy(routing()));
	}

	@Test
	void aWrapperDoesNotHideThatADataSourceRoutes() {
		assertRefusesRouting(ProxyFactory.getProxy(DataSource.class, new SingletonTargetSource(routing())));
	}

	@Test
	void aWrapperDoesNotHideARoutingDataSourceOfAnotherLibrary() {
		DataSource other = new Other.AbstractRoutingDataSource();
		assertRefusesRouting(mock(DataSource.class, delegatesTo(new LazyConnectionDataSourceProxy(other))));
	}

	private static AbstractRoutingDataSource routing() {
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return "north";
			}

		};
		routing.setTargetDataSources(Map.of("north", new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID())));
		routing.afterPropertiesSet();
		return routing;
	}

	private void assertRefusesRouting(DataSource dataSource) {
		this.withoutDatabase.withBean(DataSource.class, () -> dataSource)
			.withBean(Locked.class)
			.withPropertyValues("idempotent.store.type=jdbc", "idempotent.lock.engines=jdbc")
			.run((context) -> assertRefused(context,
					List.of("'idempotent_record', but its DataSource chooses a database by the thread",
							"'idempotent_lock', but its DataSource chooses a database by the thread"),
					List.of("new JdbcIdempotencyStore(dataSource)", "a bean with @LockDataSource")));
	}

	@Test
	void withoutUseOfTheDatabaseNoTableIsRequired() {
		this.runner
			.withPropertyValues("idempotent.guard.enabled=true", "idempotent.guard.receipt.enabled=false",
					"idempotent.initialize-schema=never")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aFencedMethodNeedsTheTableOfFences() {
		this.runner.withBean(Fenced.class)
			.withPropertyValues("idempotent.guard.enabled=true", "idempotent.guard.receipt.enabled=false",
					"idempotent.initialize-schema=never")
			.run((context) -> assertRefused(context,
					"idempotent.guard.fence-table is 'idempotent_fence', but the database has no such table",
					"classpath:io/idempotent/lock/fence/schema-h2.sql for 'idempotent_fence'"));
	}

	@Test
	void aFencedMethodStartsWithTheTableOfFences() {
		this.runner.withBean(Fenced.class)
			.withPropertyValues("idempotent.guard.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anUnavailableDatabaseDoesNotPreventTheStart(CapturedOutput output) throws SQLException {
		DataSource away = mock();
		given(away.getConnection()).willThrow(new SQLTransientConnectionException("no connection today"));
		this.withoutDatabase.withBean(DataSource.class, () -> away)
			.withPropertyValues("idempotent.guard.enabled=true", "idempotent.initialize-schema=never")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("The table 'idempotent_receipt' could not be read while the application starts")
			.contains("no connection today");
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.lock.engines=jdbc", "idempotent.lock.engines=jdbc-transaction",
			"idempotent.store.type=jdbc", "idempotent.guard.enabled=true" })
	void aLazyApplicationHasItsTables(String use) {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withUserConfiguration(use.contains("guard") ? Fenced.class : Locked.class)
			.withPropertyValues(use, "idempotent.initialize-schema=always")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static void assertRefused(AssertableApplicationContext context, String description, String action) {
		assertRefused(context, List.of(description), List.of(action));
	}

	private static void assertRefused(AssertableApplicationContext context, List<String> descriptions,
			List<String> actions) {
		assertThat(context).hasFailed();
		var analysis = new StartUpFailureAnalyzer(null).analyze(context.getStartupFailure());
		assertThat(analysis.getDescription()).contains(descriptions);
		assertThat(analysis.getAction()).contains(actions);
	}

	static class Locked {

		@DistributedLocked(name = "report")
		void run() {
		}

	}

	record Stock(LockTemplate locks) {
	}

	static class Other {

		static class AbstractRoutingDataSource extends DriverManagerDataSource {

			AbstractRoutingDataSource() {
				super("jdbc:h2:mem:" + UUID.randomUUID());
			}

		}

	}

	static class Fenced {

		@DistributedLocked(name = "report", fenced = true)
		void run() {
		}

	}

}
