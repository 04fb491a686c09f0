package io.idempotent.steps.internal;

import java.security.SecureRandom;
import java.util.function.BiConsumer;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Steps in a store. Safe for use by many threads.
 */
abstract sealed class StoredOperationSteps implements OperationStepsFactory
		permits JdbcOperationSteps, RedisOperationSteps {

	private final StepSettings settings;

	private final IdempotencyTemplate template;

	private final StepResults results;

	private final StepObserver observer;

	private final SecureRandom random = new SecureRandom();

	StoredOperationSteps(IdempotencyTemplate template, StepResults results, StepObserver observer,
			StepSettings settings) {
		this.settings = settings;
		this.template = template;
		this.observer = observer;
		this.results = results;
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
		AttemptRecords records = new AttemptRecords(context, Owner.draw(this.random), this.settings.node(), store(),
				ended(), resumable());
		return new RunningSteps(context, records, transactional(), this.results, this.settings.whenChanged(),
				this.observer);
	}

	abstract StepStore store();

	/** {@code null} if there are external steps only. */
	abstract @Nullable TransactionalSteps transactional();

	/** Is told of operations that have ended with an answer. */
	abstract BiConsumer<OperationKey, Owner> ended();

	/** Those that are called again, to be registered before the first one runs. */
	public abstract ResumableMethods resumable();

}
