package io.idempotent.method;

import java.lang.reflect.Type;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.Refusal;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.method.internal.call.CallExecution;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperation;
import io.idempotent.submission.Report;
import io.idempotent.submission.SubmissionOutcome;
import io.idempotent.submission.policy.DeclaredPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * The default {@link IdempotencyTemplate}, on the same executor as annotated methods.
 */
public final class DefaultIdempotencyTemplate implements IdempotencyTemplate {

	private final CallExecutor calls;

	/** Soft references, in case an application generates names. */
	private final ConcurrentMap<NameAndType, CallOperation> known = new ConcurrentReferenceHashMap<>();

	public DefaultIdempotencyTemplate(CallExecutor calls) {
		this.calls = calls;
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" })
	public <T extends @Nullable Object, X extends Throwable> T execute(String operation, @Nullable Object key,
			Type type, ThrowingFunction<IdempotencyContext, T, X> action) throws X {
		CallOperation called = operation(operation, type);
		return (T) this.calls.run(called, this.calls.submission(called, key), () -> null, (target) -> {
			target.begins();
			return action.apply(target.context());
		});
	}

	@Override
	@SuppressWarnings({ "unchecked", "NullAway" })
	public <T extends @Nullable Object> Entry<T> before(String operation, @Nullable Object key, Class<T> type) {
		CallOperation called = operation(operation, type);
		CallExecution call = this.calls.enter(called, this.calls.submission(called, key));
		return call.mayRun() ? new Entry.Proceed<>(new BegunAttempt<>(this.calls, call, new AtomicBoolean()))
				: this.calls.answer(call, (result) -> new Entry.Duplicate<>((T) result),
						(reason) -> refused(reason, call));
	}

	@SuppressWarnings("NullAway")
	private static <T extends @Nullable Object> Entry<T> refused(Refusal reason, CallExecution call) {
		if (CallExecutor.isDone(reason)) {
			call.decided().context().endsAs(SubmissionOutcome.REPLAYED);
			return new Entry.Duplicate<>(null);
		}
		return new Entry.Refused<>(reason);
	}

	@Override
	public Optional<IdempotencyContext> current() {
		return this.calls.current();
	}

	/** As far as this template remembers them. */
	public SortedSet<String> names() {
		return this.known.keySet().stream().map(NameAndType::name).collect(Collectors.toCollection(TreeSet::new));
	}

	private CallOperation operation(String name, Type type) {
		NameAndType key = new NameAndType(name, type);
		CallOperation operation = this.known.get(key);
		return (operation != null) ? operation : this.known.computeIfAbsent(key, (absent) -> read(name, type));
	}

	private CallOperation read(String name, Type type) {
		try {
			return this.calls.operations().operation(name, DeclaredPolicy.NONE, type);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Operation '" + name + "' cannot work: " + ex.getMessage(), ex);
		}
	}

	private record NameAndType(String name, Type type) {
	}

	private record BegunAttempt<T extends @Nullable Object>(CallExecutor calls, CallExecution call,
			AtomicBoolean ended) implements Attempt<T> {

		@Override
		public IdempotencyContext context() {
			return this.call.decided().context();
		}

		@Override
		public void succeeded(T result) {
			if (this.ended.compareAndSet(false, true)) {
				try {
					if (!this.call.decided().decision().receipt().hasEarlierEffect()) {
						this.call.returned(result);
					}
				}
				finally {
					this.calls.end(this.call);
				}
			}
		}

		@Override
		public void failed() {
			if (this.ended.compareAndSet(false, true)) {
				this.call.declaredFailed();
				this.calls.end(this.call);
			}
		}

		@Override
		public void close() {
			if (this.ended.compareAndSet(false, true)) {
				this.call.decided().end(() -> Report.UNKNOWN);
			}
		}

	}

}
