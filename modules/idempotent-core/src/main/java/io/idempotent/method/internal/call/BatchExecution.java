package io.idempotent.method.internal.call;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.function.ThrowingConsumer;
import io.idempotent.function.ThrowingRunnable;
import io.idempotent.method.internal.call.ItemTransactions.LostSavepointException;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.EarlyClaims;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.OperationPolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * One execution of a batch: calls in the order of the items. Those of one transaction are
 * a group, and claimed before it starts. A group ends before an item that is in progress
 * elsewhere, which is awaited while nothing else is claimed. The next groups start small,
 * since more such items may follow.
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

	private final @Nullable ItemTransactions transactions;

	private final boolean continues;

	private final SortedMap<Integer, Throwable> failures = new TreeMap<>();

	private int next;

	public BatchExecution(CallExecutor calls, CallOperation operation, List<? extends E> items,
			Function<? super E, ? extends @Nullable Object> key, ThrowingConsumer<? super E, ?> action,
			@Nullable PlatformTransactionManager manager, boolean continues) {
		this.calls = calls;
		this.operation = operation;
		this.items = items;
		this.entries = items.stream().map((item) -> entry(item, key)).toList();
		this.action = action;
		this.transactions = (manager != null) ? new ItemTransactions(manager) : null;
		this.continues = continues;
	}

	/** A key that cannot be read fails its item when it is its turn. */
	private Entry entry(E item, Function<? super E, ? extends @Nullable Object> key) {
		try {
			return new Entry(this.calls.submission(this.operation, key.apply(item)), null);
		}
		catch (RuntimeException ex) {
			return new Entry(null, ex);
		}
	}

	/** Returns why items failed, by their index. */
	public SortedMap<Integer, Throwable> run() {
		int length = (this.transactions != null && claimsEarly(this.operation.policy())) ? LARGEST_GROUP : 1;
		int longest = length;
		while (this.next < this.items.size() && !hasStopped()) {
			int first = this.next;
			runGroup(Math.min(this.items.size(), first + length));
			if (this.next > first) {
				length = Math.min(longest, 2 * length);
			}
			else {
				runAlone(first + 1, EarlyClaims.none());
				length = 1;
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

	private void runGroup(int end) {
		if (end - this.next == 1) {
			runAlone(end, EarlyClaims.none());
			return;
		}
		try (EarlyClaims early = this.calls.claimEarly(this.operation, submissions(end))) {
			if (this.transactions != null && !this.entries.get(this.next).isBlocked(early)) {
				runTogether(this.transactions, end, early);
			}
			else {
				runAlone(end, early);
			}
		}
	}

	private List<Submission> submissions(int end) {
		Map<OperationKey, Submission> submissions = new LinkedHashMap<>();
		for (Entry entry : this.entries.subList(this.next, end)) {
			if (entry.submission() != null) {
				submissions.putIfAbsent(entry.submission().key(), entry.submission());
			}
		}
		return List.copyOf(submissions.values());
	}

	/** After a rollback no item has taken effect, and it is unknown which one failed. */
	private void runTogether(ItemTransactions shared, int end, EarlyClaims early) {
		int first = this.next;
		try {
			shared.execute(() -> runEach(end, early, shared::nested));
		}
		catch (RuntimeException ex) {
			logger.debug("A transaction of items of operation '" + this.operation.name()
					+ "' failed: they run again, each in a transaction of its own", ex);
			int reached = this.next;
			this.failures.tailMap(first).clear();
			this.next = first;
			runAlone(reached, early);
		}
	}

	private void runAlone(int end, EarlyClaims early) {
		ItemTransactions own = this.transactions;
		runEach(end, early, (own != null) ? own::execute : Around.NOTHING);
	}

	private void runEach(int end, EarlyClaims early, Around around) {
		while (this.next < end && !hasStopped() && !this.entries.get(this.next).isBlocked(early)) {
			run(this.next, early, around);
			this.next++;
		}
	}

	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	private void run(int index, EarlyClaims early, Around around) {
		E item = this.items.get(index);
		try {
			Submission submission = this.entries.get(index).require();
			this.calls.run(this.operation, submission, early, () -> null, (target) -> {
				around.run(() -> {
					target.begins();
					this.action.accept(item);
					target.returns(null);
				});
				return null;
			});
		}
		catch (LostSavepointException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			if (ex instanceof InterruptedException) {
				Thread.currentThread().interrupt();
			}
			this.failures.put(index, ex);
		}
	}

	/** The transaction, if any, that surrounds the code. */
	private interface Around {

		Around NOTHING = ThrowingRunnable::run;

		void run(ThrowingRunnable<Throwable> code) throws Throwable;

	}

	private record Entry(@Nullable Submission submission, @Nullable RuntimeException failure) {

		boolean isBlocked(EarlyClaims early) {
			return this.submission != null && early.isBlocked(this.submission.key());
		}

		Submission require() {
			if (this.submission == null) {
				throw Objects.requireNonNull(this.failure);
			}
			return this.submission;
		}

	}

}
