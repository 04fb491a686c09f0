package io.idempotent.benchmarks.steps;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.method.DefaultIdempotencyTemplate;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperations;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.WhenChanged;
import io.idempotent.steps.internal.JdbcOperationSteps;
import io.idempotent.steps.internal.StepObserver;
import io.idempotent.steps.internal.StepSettings;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.policy.OperationPolicy;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes entries, by hand and in steps. Records are in memory, so that nothing but the
 * steps is measured.
 */
final class Ledger implements AutoCloseable {

	private static final Duration LONG = Duration.ofHours(1);

	private static final int RECORDS = 10_000_000;

	private final JdbcTemplate sql;

	private final TransactionTemplate transaction;

	private final IdempotencyGate gate;

	private final DefaultIdempotencyTemplate template;

	private final JdbcOperationSteps steps;

	Ledger(DataSource dataSource) {
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		this.sql = new JdbcTemplate(dataSource);
		this.sql.execute("create table entry (id varchar(60) primary key)");
		this.sql.execute("create table state (id varchar(60) primary key, done boolean)");
		this.transaction = new TransactionTemplate(manager);
		this.gate = new IdempotencyGate.Builder(new LocalIdempotencyStore(RECORDS)).build();
		this.template = new DefaultIdempotencyTemplate(
				new CallExecutor(this.gate, "bench", new CallOperations(new Policies(), null, 1, false)));
		this.steps = new JdbcOperationSteps(dataSource, manager, this.template, null, StepObserver.NONE,
				new StepSettings("bench", "bench", LONG, Duration.ofSeconds(5), 1, WhenChanged.REFUSE, LONG, 1,
						RecordEncryption.NONE));
	}

	void insert(String id) {
		this.sql.update("insert into entry (id) values (?)", id);
	}

	void insertInTransaction(String id) {
		this.transaction.executeWithoutResult((status) -> insert(id));
	}

	/** What somebody writes who remembers calls of another system. */
	void recordCall(String id) {
		this.sql.update("insert into state (id, done) values (?, false)", id);
		this.sql.update("update state set done = true where id = ?", id);
	}

	void run(Code code) {
		String key = UUID.randomUUID().toString();
		this.template.executeWithoutResult("pay", key, (context) -> code.run(key, this.steps.of(context)));
	}

	@Override
	public void close() {
		this.steps.close();
		this.gate.close();
	}

	interface Code {

		void run(String key, OperationSteps steps);

	}

	private static final class Policies implements OperationPolicies {

		@Override
		public OperationPolicy policy(String operation, DeclaredPolicy declared) {
			return new OperationPolicy(operation, LONG, LONG, LONG, WhenCompleted.REPLAY, WhenInProgress.REJECT,
					WhenUnknown.RERUN, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
		}

		@Override
		public KeySource source(String operation, ApiIdempotent annotation) {
			return KeySource.HEADER;
		}

		@Override
		public List<String> replayErrors(String operation, ApiIdempotent annotation) {
			return List.of();
		}

		@Override
		public String resolve(String text) {
			return text;
		}

	}

}
