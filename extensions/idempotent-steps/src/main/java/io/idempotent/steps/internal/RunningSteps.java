package io.idempotent.steps.internal;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.audit.BoundedText;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.StepVerifier.Verdict;
import io.idempotent.steps.WhenChanged;
import io.idempotent.steps.internal.StoredStep.State;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.submission.SubmissionContext;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The steps of one attempt. The first one makes the attempt the owner of the operation.
 */
final class RunningSteps implements OperationSteps, SubmissionContext.CompletionListener {

	private final SubmissionContext context;

	private final AttemptRecords records;

	private final StepTransaction transaction;

	private final StepResults results;

	private final StepObserver observer;

	private final Set<String> met = ConcurrentHashMap.newKeySet();

	/** Those that have failed too, which may be called again. */
	private final Set<String> entered = ConcurrentHashMap.newKeySet();

	private final Set<Thread> inStep = ConcurrentHashMap.newKeySet();

	private @Nullable Map<String, StoredStep> earlier;

	RunningSteps(AttemptRecords records, StepTransaction transaction, StepResults results, StepObserver observer) {
		this.context = records.context();
		this.records = records;
		this.transaction = transaction;
		this.results = results;
		this.observer = observer;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T transactional(String name, Class<T> type,
			ThrowingSupplier<T, X> step) throws X {
		ResultCodec codec = this.results.of(type);
		StoredStep stored = begin(name);
		if (stored != null && stored.hasResult()) {
			return read(type, codec, stored);
		}
		requireKind(stored, State.FAILED);
		return running(name, () -> {
			try {
				return this.observer.observe(this.context.operation(), name, "transactional",
						() -> commit(name, codec, step, stored != null));
			}
			catch (Throwable ex) {
				recordRollback(name, ex);
				throw ex;
			}
		});
	}

	private <T extends @Nullable Object, X extends Throwable> T commit(String name, ResultCodec codec,
			ThrowingSupplier<T, X> step, boolean failed) throws X {
		return this.transaction.execute(name, () -> {
			T result = step.get();
			this.records.commitWith(name, encode(codec, result, name), failed);
			return result;
		});
	}

	private void recordRollback(String name, Throwable failure) {
		if (failure instanceof SubmissionRefusedException) {
			return;
		}
		StoredStep stored = earlier().get(name);
		if (stored != null) {
			this.records.fail(stored, failure);
		}
		else if (this.records.failNew(name, failure)) {
			earlier().put(name, StoredStep.of(name, State.FAILED));
		}
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T external(String name, Class<T> type,
			ThrowingFunction<String, T, X> call, StepVerifier<T> verifier) throws X {
		ResultCodec codec = this.results.of(type);
		StoredStep stored = begin(name);
		if (stored != null && stored.state() == State.DONE) {
			return read(type, codec, stored);
		}
		requireKind(stored, State.STARTED);
		return running(name, () -> {
			String key = this.context.derivedKey("step " + name);
			if (stored == null) {
				this.records.start(name);
				return finish(name, codec, call(name, key, true, call));
			}
			if (stored.hasResult()) {
				T confirmed = read(type, codec, stored);
				this.records.finish(name, stored.requireResult());
				return confirmed;
			}
			Verdict<T> verdict = verifier.verify(key);
			if (verdict instanceof Verdict.Happened<T> happened) {
				return finish(name, codec, happened.result());
			}
			if (verdict instanceof Verdict.DidNotHappen<T> && !stored.tookEffect()) {
				this.records.repeat(name);
				return finish(name, codec, call(name, key, false, call));
			}
			throw this.records.refusedForGood(Refusal.OUTCOME_UNKNOWN,
					"step '" + name + "' " + (stored.tookEffect() ? "took effect, but its result is not stored"
							: "was interrupted, and nobody can tell whether it took effect"));
		});
	}

	/** A step that fails may be called again, in this attempt too. */
	@SuppressWarnings("NullAway") // a step may return null
	private <T extends @Nullable Object, X extends Throwable> T running(String name, ThrowingSupplier<T, X> step)
			throws X {
		this.inStep.add(Thread.currentThread());
		try {
			return step.get();
		}
		catch (Throwable ex) {
			this.met.remove(name);
			throw ex;
		}
		finally {
			this.inStep.remove(Thread.currentThread());
		}
	}

	private <T extends @Nullable Object, X extends Throwable> T call(String name, String key, boolean isNew,
			ThrowingFunction<String, T, X> call) throws X {
		try {
			return this.observer.observe(this.context.operation(), name, "external", () -> {
				// Another attempt may have taken over since the start was recorded.
				if (isNew) {
					this.records.requireClaim(name);
					earlier().put(name, StoredStep.of(name, State.STARTED));
				}
				else {
					this.records.requireClaim();
				}
				return call.apply(key);
			});
		}
		catch (Throwable ex) {
			if (!(ex instanceof SubmissionRefusedException)) {
				this.records.failCall(name, earlier().get(name), ex);
			}
			throw ex;
		}
	}

	/** A call whose result cannot be stored is not repeated, in this attempt neither. */
	private <T extends @Nullable Object> T finish(String name, ResultCodec codec, T result) {
		byte[] encoded;
		try {
			encoded = encode(codec, result, name);
		}
		catch (RuntimeException ex) {
			this.records.keepEffect(begun(name), ex, this.records.message(ex));
			earlier().put(name, StoredStep.withoutResult(name));
			throw ex;
		}
		this.records.finish(name, encoded);
		return result;
	}

	private byte[] encode(ResultCodec codec, @Nullable Object result, String name) {
		return this.records.encrypt(name, StepResults.encode(codec, result, StoredStep.purpose(name)));
	}

	/** The codec is that of the type. */
	@SuppressWarnings({ "unchecked", "NullAway" })
	private <T extends @Nullable Object> T read(Class<T> type, ResultCodec codec, StoredStep stored) {
		try {
			return (T) this.records.decrypt(stored).read(codec);
		}
		catch (RuntimeException ex) {
			String reason = "the stored result of step '" + stored.name() + "' cannot be read as " + type.getName()
					+ ": " + this.records.message(ex);
			if (!(ex instanceof UnreadableRecordException)) {
				this.records.keepEffect(stored, ex, reason);
			}
			SubmissionRefusedException refused = this.records.refusedForGood(Refusal.RECORD_UNREADABLE, reason);
			refused.initCause(ex);
			throw refused;
		}
	}

	/** What an earlier attempt has stored of the step, or {@code null}. */
	private @Nullable StoredStep begin(String name) {
		if (!StoredStep.isName(name)) {
			throw new IllegalArgumentException("The name of a step of operation '" + this.context.operation() + "' is '"
					+ BoundedText.visible(name, MAX_NAME) + "', but it must have 1 to " + MAX_NAME
					+ " printable characters");
		}
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new IllegalStateException("Step '" + name + "' of operation '" + this.context.operation()
					+ "' was called within a transaction, which could still roll it back: call steps outside of "
					+ "transactions; a transactional step begins its own");
		}
		if (this.inStep.contains(Thread.currentThread())) {
			throw new IllegalStateException("Step '" + name + "' of operation '" + this.context.operation()
					+ "' was called within another step: a repeat that finds that one done would not meet it. Call "
					+ "one after the other");
		}
		Map<String, StoredStep> known = earlier();
		this.records.requireClaim();
		StoredStep stored = known.get(name);
		if (stored == null) {
			checkUnchanged(name, known);
		}
		if (!this.met.add(name)) {
			throw new IllegalStateException("Operation '" + this.context.operation() + "' has two steps named '" + name
					+ "': a repeat could not tell them apart. In a loop, add what differs to the name");
		}
		this.entered.add(name);
		return stored;
	}

	private StoredStep begun(String name) {
		return Objects.requireNonNull(earlier().get(name));
	}

	private synchronized Map<String, StoredStep> earlier() {
		if (this.earlier == null) {
			this.earlier = this.records.takeOver();
		}
		return this.earlier;
	}

	/** The operation has ended with an answer, with or without steps. */
	@Override
	public synchronized void completed() {
		if (this.earlier == null) {
			return;
		}
		List<String> missing = missing(this.earlier);
		if (!missing.isEmpty()) {
			this.observer.changed(this.context.operation(), "missing");
			this.records.warn("has ended without " + missing
					+ ", which an earlier attempt has done or begun: the code has changed, or took another branch");
		}
		this.records.end();
	}

	/** Steps that took effect, or may have, and that this attempt has not entered. */
	private List<String> missing(Map<String, StoredStep> known) {
		return known.values()
			.stream()
			.filter((step) -> step.state() != State.FAILED && !this.entered.contains(step.name()))
			.map(StoredStep::name)
			.sorted()
			.toList();
	}

	/**
	 * A step that is new, before one that is done or interrupted: its name or the order
	 * has changed. What was interrupted may have taken effect under its former name.
	 */
	private void checkUnchanged(String name, Map<String, StoredStep> known) {
		List<String> missing = missing(known);
		if (missing.isEmpty()) {
			return;
		}
		String what = "step '" + name + "' is new, but comes before " + missing
				+ ", which an earlier attempt has done or begun: the code has changed";
		this.observer.changed(this.context.operation(), "new");
		if (this.records.settings().whenChanged() == WhenChanged.REFUSE) {
			throw this.records.refusedForGood(Refusal.OUTCOME_UNKNOWN, what);
		}
		this.records.warn("continues: " + what);
	}

	private void requireKind(@Nullable StoredStep stored, State unfinished) {
		if (stored != null && stored.state() != unfinished) {
			throw this.records.refusedForGood(Refusal.OUTCOME_UNKNOWN, "step '" + stored.name()
					+ "' has begun before, as external where it is transactional now, or the other way round");
		}
	}

}
