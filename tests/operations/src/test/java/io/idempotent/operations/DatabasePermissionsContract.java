package io.idempotent.operations;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.alibaba.druid.DbType;
import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.wall.WallFilter;
import com.alibaba.druid.wall.WallProvider;
import io.idempotent.Idempotent;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.InterventionResult;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.DistributedReadWriteLock;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.LockIntervention;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.Resumable;
import io.idempotent.steps.StepAdministration;
import io.idempotent.steps.StepAdministration.OperationWithSteps;
import io.idempotent.steps.StepAdministration.Step;
import io.idempotent.steps.internal.JdbcOperationSteps;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.Schemas;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A database user with the permissions of {@code docs/operations/planning.md} can do all
 * that the library does, and Druid's wall filter accepts all of its statements.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabasePermissionsContract {

	private ConfigurableApplicationContext shop;

	private ObservedDataSource observed;

	/** The platform of the schema scripts, which is that of Druid, too. */
	abstract String platform();

	/** Starts the server. */
	abstract DataSource owner();

	/** Creates the user with these permissions. */
	abstract void createUser(DataSource owner, List<String> grants);

	abstract DataSource user();

	@BeforeAll
	void startShop() throws Exception {
		DataSource owner = owner();
		Schemas.create(owner, platform(), "lock/jdbc", "lock/fence", "jdbc/store", "jdbc/receipt", "steps");
		new JdbcTemplate(owner).execute("create table entry (text varchar(100))");
		String document = Files.readString(Path.of("../../docs/operations/planning.md"));
		createUser(owner,
				Pattern.compile("(?m)^grant [^;]+").matcher(document).results().map((grant) -> grant.group()).toList());
		this.observed = new ObservedDataSource(user());
		this.shop = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory().registerSingleton("dataSource", this.observed))
			.properties(Map.of("spring.application.name", "shop", "spring.main.banner-mode", "off"))
			.properties("idempotent.store.type=jdbc", "idempotent.guard.enabled=true",
					"idempotent.lock.engines=jdbc,jdbc-transaction", "idempotent.steps.resume.after=1s")
			.run();
	}

	@AfterAll
	void closeShop() {
		if (this.shop != null) {
			this.shop.close();
		}
	}

	private <T> T bean(Class<T> type) {
		return this.shop.getBean(type);
	}

	@Test
	void recordsAndReceipts() {
		Ledger ledger = bean(Ledger.class);
		// As many as let the store delete expired records.
		IntStream.range(0, 60).forEach((i) -> {
			ledger.enter("entry-" + i);
			ledger.enter("entry-" + i);
		});
		assertThat(entries("entry-%")).isEqualTo(60);
		assertThat(bean(ReceiptGuard.class).purge()).isZero();
	}

	@Test
	void interventionsOfOperators() {
		assertThatIllegalStateException().isThrownBy(() -> bean(Ledger.class).lose("lost"));
		assertThatIllegalStateException().isThrownBy(() -> bean(Ledger.class).lose("found"));
		IdempotencyAdministration records = bean(IdempotencyAdministration.class);
		var unknown = records.unknown(10).records();
		assertThat(unknown).hasSize(2);
		assertThat(records.release(unknown.get(0).key(), "alice", "it failed", true))
			.isInstanceOf(InterventionResult.Done.class);
		assertThat(records.confirm(unknown.get(1).key(), "alice", "it succeeded", true))
			.isInstanceOf(InterventionResult.Done.class);
	}

	@Test
	void locksAndFences() {
		bean(Ledger.class).close("close");
		assertThat(entries("close")).isEqualTo(1);
		DistributedLocks locks = bean(DistributedLocks.class);
		DistributedReadWriteLock lock = locks.readWrite("book");
		lock.writeLock().lock();
		lock.readLock().lock();
		lock.writeLock().unlock();
		lock.readLock().unlock();
		LockAdministration administration = bean(LockAdministration.class);
		CompletableFuture.runAsync(locks.get("taken")::lock).join();
		assertThat(administration.inspect("taken", null).holders()).hasSize(1);
		assertThat(administration.forceRelease("taken", null, "alice", "a test").result())
			.isEqualTo(LockIntervention.Result.DONE);
		new TransactionTemplate(bean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
			DistributedLock bound = locks.get("bound", LockOptions.DEFAULTS.withEngine("jdbc-transaction"));
			assertThat(bound.tryLock()).isTrue();
			bound.unlock();
		});
	}

	@Test
	void whatNodesAgreeOn() {
		SharedEntry store = Objects.requireNonNull(bean(JdbcLockEngine.class).sharedEntry("shop:epoch"));
		assertThat(store.write(0, "one")).isTrue();
		long version = store.read().version();
		assertThat(store.write(version, "two")).isTrue();
		assertThat(store.read().text()).isEqualTo("two");
	}

	@Test
	void steps() {
		Ledger ledger = bean(Ledger.class);
		assertThat(ledger.inSteps("three", false)).isEqualTo("three steps");
		assertThatIllegalStateException().isThrownBy(() -> ledger.inSteps("two", true));
		StepAdministration steps = bean(StepAdministration.class);
		OperationWithSteps unfinished = steps.unfinished(10)
			.stream()
			.filter((one) -> one.steps().stream().anyMatch(Step::interrupted))
			.findFirst()
			.orElseThrow();
		assertThat(steps.repeat(unfinished.key(), "mail", "alice", "a test")).isTrue();
		assertThat(steps.confirm(unfinished.key(), "mail", null, "alice", "a test")).isFalse();
		assertThat(steps.resume(unfinished.key(), "alice", "a test")).isTrue();
		assertThat(steps.end(unfinished.key(), "alice", "a test")).isTrue();
		assertThat(bean(JdbcOperationSteps.class).purge()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotentStore", "idempotentGuard", "lockEngine" })
	void healthIsUp(String indicator) {
		DistributedLock lock = bean(DistributedLocks.class).get("health");
		lock.lock();
		lock.unlock();
		HealthIndicator health = this.shop.getBean(indicator + "HealthIndicator", HealthIndicator.class);
		assertThat(Objects.requireNonNull(health.health()).getStatus()).isEqualTo(Status.UP);
	}

	/** Also those that the other tests have executed before. */
	@Test
	void druidAcceptsAllStatements() {
		recordsAndReceipts();
		WallFilter wall = new WallFilter();
		try (DruidDataSource druid = new DruidDataSource()) {
			druid.setDbType(DbType.of(platform()));
			wall.setDbType(DbType.of(platform()));
			wall.init(druid);
		}
		WallProvider provider = wall.getProvider();
		assertThat(this.observed.executed().stream().filter((sql) -> sql.contains("idempotent_")).distinct())
			.isNotEmpty()
			.allSatisfy((sql) -> assertThat(provider.check(sql).getViolations()).as(sql).isEmpty());
	}

	private int entries(String text) {
		return Objects.requireNonNull(new JdbcTemplate(this.observed)
			.queryForObject("select count(*) from entry where text like ?", Integer.class, text));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(Ledger.class)
	static class Application {

	}

	static class Ledger {

		private final JdbcTemplate sql;

		private final ObjectProvider<OperationStepsFactory> steps;

		Ledger(JdbcTemplate sql, ObjectProvider<OperationStepsFactory> steps) {
			this.sql = sql;
			this.steps = steps;
		}

		@Idempotent(key = "#text")
		@Transactional
		public int enter(String text) {
			return this.sql.update("insert into entry values (?)", text);
		}

		@Idempotent(key = "#text", whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		public void lose(String text) {
			throw new IllegalStateException(text);
		}

		@DistributedLocked(name = "ledger", fenced = true)
		@Transactional
		public void close(String text) {
			this.sql.update("insert into entry values (?)", text);
		}

		@Idempotent(key = "#text")
		@Resumable
		public String inSteps(String text, boolean fails) {
			OperationSteps running = this.steps.getObject().current();
			String charge = running.external("charge", String.class, (key) -> text);
			running.transactional("book", () -> this.sql.update("insert into entry values (?)", text));
			running.external("mail", (key) -> {
				if (fails) {
					throw new IllegalStateException("The mail server is away");
				}
			});
			return charge + " steps";
		}

	}

}
