package io.idempotent.programs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What one thread does: the runs that are inside of one another, the innermost first.
 */
final class Strand {

	private final String name;

	private final Deque<Run> runs = new ArrayDeque<>();

	private final boolean beside;

	private final List<Transaction> transactions = new ArrayList<>();

	private @Nullable Transaction last;

	/** How many transactions there were when a callback began that comes after one. */
	private int before = 0;

	private int begunWritable;

	private boolean isolated;

	private boolean spoiled;

	private boolean timedOut;

	private boolean exhausted;

	private @Nullable Entrance entrance;

	Strand(String name) {
		this(name, false);
	}

	Strand(String name, boolean beside) {
		this.name = name;
		this.beside = beside;
	}

	/** Whether another thread waits for this one, maybe with rows that it has locked. */
	boolean isBeside() {
		return this.beside;
	}

	/** How many transactions on the guarded database were begun that may write. */
	int begunWritable() {
		return this.begunWritable;
	}

	void began(Transaction transaction) {
		this.transactions.add(transaction);
		if (transaction.carriesReceipts()) {
			this.begunWritable++;
		}
	}

	/** A transaction has asked for an isolation of its own. */
	void isolated() {
		this.isolated = true;
	}

	boolean isIsolated() {
		return this.isolated;
	}

	/** The time of one of its transactions is up. */
	void timedOut() {
		this.timedOut = true;
	}

	boolean isTimedOut() {
		return this.timedOut;
	}

	/**
	 * Whether a transaction of it was marked for rollback, or an exception passed through
	 * one.
	 */
	boolean isSpoiled() {
		return this.spoiled || this.transactions.stream().anyMatch(Transaction::isSpoiled);
	}

	void spoil() {
		this.spoiled = true;
	}

	/** A transaction that it begins gets no connection. */
	void exhaust() {
		this.exhausted = true;
	}

	boolean isExhausted() {
		return this.exhausted;
	}

	/** Whether a statement has failed in such a transaction. */
	boolean isAborted() {
		return this.transactions.stream().anyMatch((each) -> each.isAborted() && (each.isOpen() || each == this.last));
	}

	/**
	 * Runs what comes after the completion of a transaction.
	 * @param callback what it is
	 */
	void afterCompletion(Runnable callback) {
		int outer = this.before;
		this.before = this.transactions.size();
		try {
			callback.run();
		}
		finally {
			this.before = outer;
		}
	}

	/** Whether a transaction stands around the callback that is running. */
	boolean isAroundCallback(Transaction transaction) {
		return this.transactions.indexOf(transaction) < this.before;
	}

	void entering(Entrance next) {
		this.entrance = next;
	}

	/** Whether the last call was of a method that refuses some transactions. */
	boolean isEnteringStrictly() {
		return this.entrance == Entrance.MANDATORY || this.entrance == Entrance.NEVER;
	}

	@Nullable Run innermost() {
		return this.runs.peek();
	}

	/** The runs of this moment. */
	List<Run> running() {
		return List.copyOf(this.runs);
	}

	@Nullable Run running(KeyModel key) {
		return this.runs.stream().filter((run) -> run.key() == key).findFirst().orElse(null);
	}

	void enter(Run run) {
		this.runs.push(run);
	}

	void leave() {
		this.runs.pop();
	}

	void completed(Transaction transaction) {
		this.last = transaction;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
