package io.idempotent.steps.internal;

import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.method.json.CallJson;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.StepAdministration;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordState;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Steps in the guarded database.
 */
public final class JdbcOperationSteps extends StoredOperationSteps implements AutoCloseable {

	private final StepTables tables;

	private final EndedOperations ended;

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
		this(new TransactionalSteps(new StepTransaction(manager), new StepTables(dataSource, settings),
				ShortStatements.unwrap(dataSource)), template, json, observer, settings);
	}

	private JdbcOperationSteps(TransactionalSteps steps, IdempotencyTemplate template, @Nullable CallJson json,
			StepObserver observer, StepSettings settings) {
		super(steps.tables(), steps, template, json, observer, settings);
		this.tables = steps.tables();
		this.ended = new EndedOperations(this.tables.statements());
	}

	@Override
	void ended(OperationKey key, Owner owner) {
		this.ended.add(key, owner);
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
		return new ResumptionSweep(resumable(),
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
		return GuardPurge.inBatches(StepTables.BATCH, () -> this.tables.purge(this.settings.retention()));
	}

}
