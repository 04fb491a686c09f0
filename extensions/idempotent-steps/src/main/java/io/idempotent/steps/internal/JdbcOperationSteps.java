package io.idempotent.steps.internal;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.method.json.CallJson;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.StepAdministration;
import io.idempotent.steps.WhenChanged;
import io.idempotent.store.Owner;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Steps in the guarded database. Safe for use by many threads.
 */
public final class JdbcOperationSteps implements OperationStepsFactory, AutoCloseable {

	private final Settings settings;

	private final IdempotencyTemplate template;

	private final StepTables tables;

	private final ShortStatements statements;

	private final EndedOperations ended;

	private final ResumableMethods resumable;

	private final StepTransaction transaction;

	private final StepResults results;

	private final StepObserver observer;

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
			@Nullable CallJson json, StepObserver observer, Settings settings) {
		this.settings = settings;
		this.template = template;
		this.observer = observer;
		this.statements = StepTables.statements(dataSource, settings.timeout());
		this.tables = new StepTables(dataSource, this.statements, settings.resumeAfter());
		this.ended = new EndedOperations(this.tables);
		this.transaction = new StepTransaction(manager);
		this.results = new StepResults(json, settings.maxResult());
		this.resumable = new ResumableMethods(this.results);
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

	/** The steps in the same database, for operators. */
	public StepAdministration administration() {
		return new JdbcStepAdministration(this.statements);
	}

	/** Those that are called again, to be registered before the first one runs. */
	public ResumableMethods resumable() {
		return this.resumable;
	}

	/**
	 * Calls interrupted operations again.
	 * @param abandoned is told of each that has failed too often
	 */
	public ResumptionSweep resumption(Consumer<OperationAbandonedEvent> abandoned) {
		return new ResumptionSweep(this.resumable, new ResumptionTable(this.statements), this.observer, abandoned,
				this.settings.resumeAfter(), this.settings.maxAttempts());
	}

	/** Marks operations as ended that have ended a moment ago. */
	void flush() {
		this.ended.write();
	}

	@Override
	public void close() {
		this.ended.close();
	}

	private OperationSteps create(SubmissionContext context) {
		AttemptRecords records = new AttemptRecords(context, Owner.draw(this.random), this.settings.node(), this.tables,
				this.ended, this.resumable);
		return new RunningSteps(context, records, this.transaction, this.results, this.settings.whenChanged(),
				this.observer);
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

	/**
	 * How steps are kept.
	 *
	 * @param node the name of this node, for operators
	 * @param retention how long an operation is kept after its last attempt began
	 * @param timeout how long a statement outside of the steps' transactions may take, in
	 * whole seconds
	 * @param maxResult the longest result in bytes
	 * @param resumeAfter when an operation that was interrupted is called again first
	 * @param maxAttempts how often it is called again at most
	 */
	public record Settings(String node, Duration retention, Duration timeout, int maxResult, WhenChanged whenChanged,
			Duration resumeAfter, int maxAttempts) {
	}

}
