package io.idempotent.method.internal.call;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.function.ThrowingConsumer;
import io.idempotent.function.ThrowingRunnable;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.EarlyClaims;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.OperationPolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * One execution of a batch: calls in the order of the items. Those of one transaction are
 * claimed before it begins. It ends before an item that is in progress elsewhere, which
 * is awaited while nothing else is claimed.
 */
public final class BatchExecution<E extends @Nullable Object> {

	/** Bounds claims that are renewed, and rows in a transaction. */
	private static final int LARGEST_GROUP = 512;

	private static final Log logger = LogFactory.getLog(BatchExecution.class);

	private final CallExecutor calls;

	private final CallOperation operation;

	private final List<? extends E> items;

	private final List<Entry> entries;

	private final ThrowingConsumer<? super E, ?> action;

	private final @Nullable PlatformTransactionManager transactions;

	private final boolean continues;

	private final SortedMap<Integer, Throwable> failures = new TreeMap<>();

	private int next;

	public BatchExecution(CallExecutor calls, CallOperation operation, List<? extends E> items,
			Function<? super E, ? extends @Nullable Object> key, ThrowingConsumer<? super E, ?> action,
			@Nullable PlatformTransactionManager transactions, boolean continues) {
		this.calls = calls;
		this.operation = operation;
		this.items = items;
		this.entries = items.stream().map((item) -> entry(item, key)).toList();
		this.action = action;
		this.transactions = transactions;
		this.continues = continues;
	}

	/** A key that is missing or cannot be read fails its item when it is its turn. */
	private Entry entry(E item, Function<? super E, ? extends @Nullable Object> key) {
		try {
			return new Entry(this.calls.submissionOrNull(this.operation, key.apply(item)), null);
		}
		catch (Exception ex) {
			return new Entry(null, ex);
		}
	}

	/** Returns why items failed, by their index. */
	public SortedMap<Integer, Throwable> run() {
		boolean together = claimsEarly(this.operation.policy());
		while (this.next < this.items.size() && !hasStopped()) {
			if (this.transactions == null || !together || !runTogether(this.transactions)) {
				runAlone();
			}
		}
		return this.failures;
	}

	/** After a crash, claims of items that never ran would be burnt or unknown. */
	private static boolean claimsEarly(OperationPolicy policy) {
		return policy.whenUnknown() == WhenUnknown.RERUN && policy.whenCompleted() != WhenCompleted.BURN;
	}

	private boolean hasStopped() {
		return !this.continues && !this.failures.isEmpty();
	}

	/**
	 * If the transaction fails, each item up to the one that failed runs alone. None has
	 * taken effect after a rollback. After a commit in doubt all may have: receipts then
	 * prevent a second effect, and without them the policy permits it. Returns
	 * {@code false} if the next item has to run alone.
	 */
	private boolean runTogether(PlatformTransactionManager shared) {
		int first = this.next;
		int end = Math.min(this.items.size(), first + LARGEST_GROUP);
		if (end - first == 1) {
			return false;
		}
		try (EarlyClaims early = this.calls.claimEarly(this.operation, submissions(first, end))) {
			if (this.entries.get(first).isBlocked(early)) {
				return false;
			}
			inTransaction(shared, () -> runUntilBlocked(end, early));
		}
		catch (Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			keepInterrupt(ex);
			logger.debug("A transaction of items of operation '" + this.operation.name()
					+ "' failed: they run again, each in a transaction of its own", ex);
			int reached = this.next;
			this.next = first;
			while (this.next <= reached && this.next < end && !hasStopped()) {
				runAlone();
			}
		}
		return true;
	}

	/** Up to the first item whose key cannot be read. */
	private List<Submission> submissions(int first, int end) {
		Map<OperationKey, Submission> submissions = new LinkedHashMap<>();
		for (Entry entry : this.entries.subList(first, end)) {
			if (entry.submission() == null) {
				break;
			}
			submissions.putIfAbsent(entry.submission().key(), entry.submission());
		}
		return List.copyOf(submissions.values());
	}

	private void runUntilBlocked(int end, EarlyClaims early) throws Throwable {
		while (this.next < end && !this.entries.get(this.next).isBlocked(early)) {
			run(early, ThrowingRunnable::run);
			this.next++;
		}
	}

	private void runAlone() {
		try {
			PlatformTransactionManager own = this.transactions;
			run(null, (own != null) ? (code) -> inTransaction(own, code) : ThrowingRunnable::run);
		}
		catch (Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			keepInterrupt(ex);
			this.failures.put(this.next, ex);
		}
		this.next++;
	}

	/** Any exception rolls it back. */
	private static void inTransaction(PlatformTransactionManager manager, ThrowingRunnable<Throwable> code)
			throws Throwable {
		TransactionStatus status = manager.getTransaction(new DefaultTransactionDefinition());
		try {
			code.run();
		}
		catch (Throwable ex) {
			rollBack(manager, status, ex);
			throw ex;
		}
		manager.commit(status);
	}

	private static void rollBack(PlatformTransactionManager manager, TransactionStatus status, Throwable reason) {
		try {
			manager.rollback(status);
		}
		catch (RuntimeException | Error ex) {
			ex.addSuppressed(reason);
			throw ex;
		}
	}

	private static void keepInterrupt(Throwable ex) {
		if (ex instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
	}

	private Submission submission(Entry entry) throws Exception {
		if (entry.failure() != null) {
			throw entry.failure();
		}
		return (entry.submission() != null) ? entry.submission() : this.calls.submission(this.operation, null);
	}

	/** With the transaction, if any, that surrounds the code. */
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	private void run(@Nullable EarlyClaims early, ThrowingConsumer<ThrowingRunnable<Throwable>, Throwable> around)
			throws Throwable {
		E item = this.items.get(this.next);
		this.calls.run(this.operation, submission(this.entries.get(this.next)), early, () -> null, (target) -> {
			around.accept(() -> {
				target.begins();
				this.action.accept(item);
				target.returns(null);
			});
			return null;
		});
	}

	private record Entry(@Nullable Submission submission, @Nullable Exception failure) {

		boolean isBlocked(EarlyClaims early) {
			return this.submission == null || early.isBlocked(this.submission.key());
		}

	}

}
