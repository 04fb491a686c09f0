package io.idempotent.steps.internal;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.method.json.CallJson;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.StepAdministration;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordState;
import io.idempotent.submission.SubmissionContext;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Steps in the guarded database. Safe for use by many threads.
 */
public final class JdbcOperationSteps implements OperationStepsFactory, AutoCloseable {

	private final StepTables tables;

	private final StepTransaction transaction;

	private final IdempotencyTemplate template;

	private final StepResults results;

	private final ResumableMethods resumable;

	private final StepObserver observer;

	private final StepSettings settings;

	private final EndedOperations ended;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Creates the factory.
	 * @param dataSource the guarded database
	 * @param manager begins transactions there
	 * @param template knows the operations that run
	 * @param json writes results, or {@code null} for steps without results
	 * @param observer is told of each step that runs
	 */
	public JdbcOperationSteps(DataSource dataSource, PlatformTransactionManager manager, IdempotencyTemplate template,
			@Nullable CallJson json, StepObserver observer, StepSettings settings) {
		this.tables = new StepTables(dataSource, settings);
		this.transaction = new StepTransaction(manager, ShortStatements.unwrap(dataSource));
		this.template = template;
		this.results = new StepResults(json, settings.maxResult());
		this.resumable = new ResumableMethods(this.results);
		this.observer = observer;
		this.settings = settings;
		this.ended = new EndedOperations(this.tables.statements());
	}

	/** Those that are called again, to be registered before the first one runs. */
	public ResumableMethods resumable() {
		return this.resumable;
	}

	@Override
	public OperationSteps current() {
		return of(this.template.current()
			.orElseThrow(() -> new IllegalStateException(
					"No operation runs on this thread: call this in an @Idempotent method or in a callback of the "
							+ "IdempotencyTemplate; a handler method declares a parameter of type OperationSteps")));
	}

	@Override
	public OperationSteps of(IdempotencyContext context) {
		if (!(context instanceof SubmissionContext submission)) {
			throw new IllegalArgumentException("The steps of " + context
					+ " are not known: give the IdempotencyContext that this library has passed to the operation");
		}
		return (OperationSteps) submission.attribute(this, () -> create(submission));
	}

	private OperationSteps create(SubmissionContext context) {
		AttemptRecords records = new AttemptRecords(context, Owner.draw(this.random), this.settings, this.tables,
				this.ended, this.resumable);
		return new RunningSteps(records, this.transaction, this.results, this.observer);
	}

	/** The steps in the same database, for operators. */
	public StepAdministration administration() {
		return new JdbcStepAdministration(this.tables.statements(), this.settings.encryption());
	}

	/**
	 * Calls interrupted operations again.
	 * @param abandoned is told of each that has failed too often
	 * @param states tells the state of the record of an operation
	 */
	public ResumptionSweep resumption(Consumer<OperationAbandonedEvent> abandoned,
			Function<OperationKey, RecordState> states) {
		return new ResumptionSweep(this.resumable,
				new ResumptionTable(this.tables.statements(), this.settings.namespace()), this.observer, abandoned,
				states, this.settings);
	}

	/** Marks operations as ended that have ended a moment ago. */
	void flush() {
		this.ended.write();
	}

	@Override
	public void close() {
		this.ended.close();
	}

	/**
	 * Deletes operations whose last attempt began longer ago than their retention, in
	 * batches, each a transaction of its own. Blocks until all are deleted or the thread
	 * is interrupted.
	 * @return how many were deleted
	 * @throws io.idempotent.store.StoreUnavailableException if the database does not
	 * answer
	 */
	public long purge() {
		return GuardPurge.inBatches(StepTables.BATCH,
				() -> this.tables.statements()
					.run("delete old operations with steps", (session) -> session.update(purge(session.dialect()),
							TimeUnit.MICROSECONDS.convert(this.settings.retention()))));
	}

	/**
	 * As for receipts, so that the index is read. The steps go with their operation.
	 * PostgreSQL would not compare the age again once an attempt has taken the operation
	 * over meanwhile, unless the rows are locked where they are selected.
	 */
	static String purge(Dialect dialect) {
		String delete = "delete from idempotent_operation where ";
		String old = "changed_at < " + dialect.microseconds() + " - ?";
		return switch (dialect) {
			case POSTGRESQL -> delete + "operation_key = any(array(select operation_key from idempotent_operation "
					+ "where changed_at >= 0 and " + old + " order by changed_at limit " + StepTables.BATCH
					+ " for update skip locked))";
			case MYSQL -> delete + old + " limit " + StepTables.BATCH;
			default -> delete + old + " fetch first " + StepTables.BATCH + " rows only";
		};
	}

}
