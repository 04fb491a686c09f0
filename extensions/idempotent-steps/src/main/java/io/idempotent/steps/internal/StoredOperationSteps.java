package io.idempotent.steps.internal;

import java.security.SecureRandom;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.method.json.CallJson;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.submission.SubmissionContext;
import org.jspecify.annotations.Nullable;

/**
 * Steps in a store. Safe for use by many threads.
 */
abstract class StoredOperationSteps implements OperationStepsFactory {

	private final StepStore store;

	private final @Nullable TransactionalSteps transactional;

	private final IdempotencyTemplate template;

	private final StepResults results;

	private final ResumableMethods resumable;

	final StepObserver observer;

	final StepSettings settings;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Creates the factory.
	 * @param transactional {@code null} if there are external steps only
	 */
	StoredOperationSteps(StepStore store, @Nullable TransactionalSteps transactional, IdempotencyTemplate template,
			@Nullable CallJson json, StepObserver observer, StepSettings settings) {
		this.store = store;
		this.transactional = transactional;
		this.template = template;
		this.results = new StepResults(json, settings.maxResult());
		this.resumable = new ResumableMethods(this.results);
		this.observer = observer;
		this.settings = settings;
	}

	/** Those that are called again, to be registered before the first one runs. */
	public ResumableMethods resumable() {
		return this.resumable;
	}

	/** An operation has ended with an answer. Never blocks. */
	void ended(OperationKey key, Owner owner) {
	}

	@Override
	public final OperationSteps current() {
		return of(this.template.current()
			.orElseThrow(() -> new IllegalStateException(
					"No operation runs on this thread: call this in an @Idempotent method or in a callback of the "
							+ "IdempotencyTemplate; a handler method declares a parameter of type OperationSteps")));
	}

	@Override
	public final OperationSteps of(IdempotencyContext context) {
		if (!(context instanceof SubmissionContext submission)) {
			throw new IllegalArgumentException("The steps of " + context
					+ " are not known: give the IdempotencyContext that this library has passed to the operation");
		}
		return (OperationSteps) submission.attribute(this, () -> create(submission));
	}

	private OperationSteps create(SubmissionContext context) {
		AttemptRecords records = new AttemptRecords(context, Owner.draw(this.random), this.settings, this.store,
				this::ended, this.resumable);
		return new RunningSteps(context, records, this.transactional, this.results, this.settings.whenChanged(),
				this.observer);
	}

}
