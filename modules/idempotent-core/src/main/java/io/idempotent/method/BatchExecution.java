package io.idempotent.method;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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
final class BatchExecution<E extends @Nullable Object> {

	/** Bounds claims that are renewed, and rows in a transaction. */
	private static final int LARGEST_GROUP = 512;

	private static final Log logger = LogFactory.getLog(BatchExecution.class);

	private final IdempotentBatch<E> batch;

	private final List<? extends E> items;

	/** {@code null} if the key is missing or cannot be read. */
	private final List<@Nullable Submission> submissions;

	private final ThrowingConsumer<? super E, ?> action;

	private final SortedMap<Integer, Throwable> failures = new TreeMap<>();

	private int next;

	BatchExecution(IdempotentBatch<E> batch, List<? extends E> items, ThrowingConsumer<? super E, ?> action) {
		this.batch = batch;
		this.items = items;
		this.submissions = items.stream().map(this::submissionOrNull).toList();
		this.action = action;
	}

	/**
	 * A missing or unreadable key fails its item at its turn, when it is computed again.
	 */
	private @Nullable Submission submissionOrNull(E item) {
		try {
			return this.batch.calls.submissionOrNull(this.batch.operation, this.batch.key.apply(item));
		}
		catch (Exception ex) {
			return null;
		}
	}

	/** Returns why items failed, by their index. */
	SortedMap<Integer, Throwable> run() {
		boolean together = claimsEarly(this.batch.operation.policy());
		while (this.next < this.items.size() && !hasStopped()) {
			if (this.batch.manager == null || !together || !runTogether(this.batch.manager)) {
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
		return !this.batch.continues && !this.failures.isEmpty();
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
		try (EarlyClaims early = this.batch.calls.claimEarly(this.batch.operation, submissions(first, end))) {
			if (isBlocked(early)) {
				return false;
			}
			inTransaction(shared, () -> runUntilBlocked(end, early));
		}
		catch (Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			keepInterrupt(ex);
			logger.debug("A transaction of items of operation '" + this.batch.operation.name()
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
		for (Submission submission : this.submissions.subList(first, end)) {
			if (submission == null) {
				break;
			}
			submissions.putIfAbsent(submission.key(), submission);
		}
		return List.copyOf(submissions.values());
	}

	private void runUntilBlocked(int end, EarlyClaims early) throws Throwable {
		while (this.next < end && !isBlocked(early)) {
			run(early, ThrowingRunnable::run);
			this.next++;
		}
	}

	private boolean isBlocked(EarlyClaims early) {
		Submission submission = this.submissions.get(this.next);
		return submission == null || early.isBlocked(submission.key());
	}

	private void runAlone() {
		try {
			PlatformTransactionManager own = this.batch.manager;
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

	/** With the transaction, if any, that surrounds the code. */
	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	private void run(@Nullable EarlyClaims early, ThrowingConsumer<ThrowingRunnable<Throwable>, Throwable> around)
			throws Throwable {
		E item = this.items.get(this.next);
		Submission known = this.submissions.get(this.next);
		Submission submission = (known != null) ? known
				: this.batch.calls.submission(this.batch.operation, this.batch.key.apply(item));
		this.batch.calls.run(this.batch.operation, submission, early, () -> null, (target) -> {
			around.accept(() -> {
				target.begins();
				this.action.accept(item);
				target.returns(null);
			});
			return null;
		});
	}

}
