package io.idempotent.steps.internal;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.audit.BoundedText;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.function.ThrowingConsumer;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.function.ThrowingRunnable;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.StepVerifier.Verdict;
import io.idempotent.steps.WhenChanged;
import io.idempotent.steps.internal.StepTables.StepAttempt;
import io.idempotent.steps.internal.StoredStep.State;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one attempt. The first one makes the attempt the owner of the operation.
 */
final class RunningSteps implements OperationSteps {

	private static final Log logger = LogFactory.getLog(OperationSteps.class);

	/** In code points, of which each may take two places. */
	private static final int MAX_ERROR = 250;

	private final SubmissionContext context;

	private final Owner owner;

	private final String node;

	private final StepTables tables;

	private final StepTransaction transaction;

	private final StepResults results;

	private final WhenChanged whenChanged;

	private final StepObserver observer;

	private final Set<String> met = ConcurrentHashMap.newKeySet();

	private final Set<Thread> inStep = ConcurrentHashMap.newKeySet();

	private @Nullable Map<String, StoredStep> earlier;

	RunningSteps(SubmissionContext context, Owner owner, String node, StepTables tables, StepTransaction transaction,
			StepResults results, WhenChanged whenChanged, StepObserver observer) {
		this.context = context;
		this.owner = owner;
		this.node = node;
		this.tables = tables;
		this.transaction = transaction;
		this.results = results;
		this.whenChanged = whenChanged;
		this.observer = observer;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T transactional(String name, Class<T> type,
			ThrowingSupplier<T, X> step) throws X {
		ResultCodec codec = this.results.of(type);
		StoredStep stored = begin(name);
		if (stored != null && stored.result() != null) {
			return read(type, codec, stored.result());
		}
		requireKind(stored, State.FAILED);
		return running(name, () -> {
			try {
				return this.observer.observe(this.context.operation(), name, "transactional",
						() -> commit(name, codec, step, stored != null));
			}
			catch (Throwable ex) {
				recordFailure(name, ex, State.FAILED);
				throw ex;
			}
		});
	}

	private <T extends @Nullable Object, X extends Throwable> T commit(String name, ResultCodec codec,
			ThrowingSupplier<T, X> step, boolean failed) throws X {
		return this.transaction.execute(() -> {
			this.tables.requireTransaction(name);
			T result = step.get();
			byte[] encoded = StepResults.encode(codec, result, name);
			requireOwner(() -> this.tables.commitWith(attempt(), name, encoded, failed));
			return result;
		});
	}

	@Override
	@SuppressWarnings("NullAway") // the result of a step without one is null
	public <X extends Throwable> void transactional(String name, ThrowingRunnable<X> step) throws X {
		this.<@Nullable Void, X>transactional(name, Void.class, () -> {
			step.run();
			return null;
		});
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T external(String name, Class<T> type,
			ThrowingFunction<String, T, X> call) throws X {
		return external(name, type, call, (key) -> new Verdict.DidNotHappen<>());
	}

	@Override
	@SuppressWarnings("NullAway") // the result of a step without one is null
	public <X extends Throwable> void external(String name, ThrowingConsumer<String, X> call) throws X {
		this.<@Nullable Void, X>external(name, Void.class, (key) -> {
			call.accept(key);
			return null;
		});
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T external(String name, Class<T> type,
			ThrowingFunction<String, T, X> call, StepVerifier<T> verifier) throws X {
		ResultCodec codec = this.results.of(type);
		StoredStep stored = begin(name);
		if (stored != null && stored.result() != null) {
			return read(type, codec, stored.result());
		}
		requireKind(stored, State.STARTED);
		return running(name, () -> {
			String key = this.context.derivedKey("step " + name);
			if (stored == null) {
				requireOwner(() -> this.tables.start(attempt(), name));
				earlier().put(name, StoredStep.of(name, State.STARTED));
				return finish(name, codec, call(name, key, call));
			}
			Verdict<T> verdict = verifier.verify(key);
			if (verdict instanceof Verdict.Happened<T> happened) {
				return finish(name, codec, happened.result());
			}
			if (verdict instanceof Verdict.DidNotHappen<T>) {
				requireOwner(() -> this.tables.mayRepeat(attempt(), name));
				return finish(name, codec, call(name, key, call));
			}
			throw refused(Refusal.OUTCOME_UNKNOWN,
					"step '" + name + "' was interrupted, and nobody can tell whether it took effect");
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

	private <T extends @Nullable Object, X extends Throwable> T call(String name, String key,
			ThrowingFunction<String, T, X> call) throws X {
		try {
			return this.observer.observe(this.context.operation(), name, "external", () -> call.apply(key));
		}
		catch (Throwable ex) {
			recordFailure(name, ex, State.STARTED);
			throw ex;
		}
	}

	/** For operators, and so that a repeat knows the name. */
	private void recordFailure(String name, Throwable failure, State state) {
		if (failure instanceof SubmissionRefusedException) {
			return;
		}
		String error = BoundedText.visible(failure.toString(), MAX_ERROR);
		try {
			if (earlier().putIfAbsent(name, StoredStep.of(name, state)) == null) {
				this.tables.failNew(attempt(), name, error);
			}
			else {
				this.tables.fail(attempt(), name, error);
			}
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	private <T extends @Nullable Object> T finish(String name, ResultCodec codec, T result) {
		byte[] encoded = StepResults.encode(codec, result, name);
		requireOwner(() -> this.tables.finish(attempt(), name, encoded));
		return result;
	}

	/** The codec is that of the type. */
	@SuppressWarnings({ "unchecked", "NullAway", "unused" })
	private <T extends @Nullable Object> T read(Class<T> type, ResultCodec codec, Outcome.Stored result) {
		try {
			return (T) codec.decode(result.answer());
		}
		catch (RuntimeException ex) {
			SubmissionRefusedException refused = refused(Refusal.RECORD_UNREADABLE,
					"a stored result cannot be read as " + type.getName() + ": " + ex.getMessage());
			refused.initCause(ex);
			throw refused;
		}
	}

	/** The key may be known only inside of the call. */
	private StepAttempt attempt() {
		return new StepAttempt(this.context.submission().key(), this.context.operation(),
				this.context.submission().fingerprint(), this.owner, this.node);
	}

	/** What an earlier attempt has stored of the step, or {@code null}. */
	private @Nullable StoredStep begin(String name) {
		StepRules.requireName(name, this.context.operation());
		StepRules.requireNoTransaction(name, this.context.operation());
		if (this.inStep.contains(Thread.currentThread())) {
			throw new IllegalStateException("Step '" + name + "' of operation '" + this.context.operation()
					+ "' was called within another step: a repeat that finds that one done would not meet it. Call "
					+ "one after the other");
		}
		Map<String, StoredStep> known = earlier();
		if (this.context.isClaimLost()) {
			throw takenOver();
		}
		StoredStep stored = known.get(name);
		if (stored == null) {
			checkUnchanged(name, known);
		}
		if (!this.met.add(name)) {
			throw new IllegalStateException("Operation '" + this.context.operation() + "' has two steps named '" + name
					+ "': a repeat could not tell them apart. In a loop, add what differs to the name");
		}
		return stored;
	}

	private synchronized Map<String, StoredStep> earlier() {
		Map<String, StoredStep> known = this.earlier;
		if (known == null) {
			known = takeOver();
			this.earlier = known;
		}
		return known;
	}

	private Map<String, StoredStep> takeOver() {
		this.context.leaveNoReceipt();
		List<StoredStep> stored = available(() -> this.tables.takeOver(attempt()))
			.orElseThrow(() -> refused(Refusal.KEY_REUSED, "steps of this key have begun with another content"));
		return stored.stream().collect(Collectors.toConcurrentMap(StoredStep::name, Function.identity()));
	}

	/** A step that is new, before one that is done: its name or the order has changed. */
	private void checkUnchanged(String name, Map<String, StoredStep> known) {
		List<String> missing = known.values()
			.stream()
			.filter((step) -> step.result() != null && !this.met.contains(step.name()))
			.map(StoredStep::name)
			.sorted()
			.toList();
		if (missing.isEmpty()) {
			return;
		}
		String what = "step '" + name + "' is new, but comes before " + missing
				+ ", which an earlier attempt has done: the code has changed";
		if (this.whenChanged == WhenChanged.REFUSE) {
			throw refused(Refusal.OUTCOME_UNKNOWN, what);
		}
		logger.warn("Operation '" + this.context.operation() + "' (key " + this.context.submission().key()
				+ ") continues: " + what);
	}

	private void requireKind(@Nullable StoredStep stored, State unfinished) {
		if (stored != null && stored.state() != unfinished) {
			throw refused(Refusal.OUTCOME_UNKNOWN, "step '" + stored.name()
					+ "' has begun before, as external where it is transactional now, or the other way round");
		}
	}

	private void requireOwner(BooleanSupplier write) {
		if (!available(write::getAsBoolean)) {
			throw takenOver();
		}
	}

	private <T> T available(Supplier<T> access) {
		try {
			return access.get();
		}
		catch (StoreUnavailableException ex) {
			SubmissionRefusedException refused = refused(Refusal.STORE_UNAVAILABLE, ex.getMessage());
			refused.initCause(ex);
			throw refused;
		}
	}

	private SubmissionRefusedException takenOver() {
		return refused(Refusal.IN_PROGRESS, "another attempt has taken it over, or the reply to a statement was lost");
	}

	private SubmissionRefusedException refused(Refusal refusal, @Nullable String reason) {
		logger.warn("Operation '" + this.context.operation() + "' (key " + this.context.submission().key()
				+ ") is refused: " + reason);
		return new SubmissionRefusedException(refusal, this.context.operation());
	}

}
