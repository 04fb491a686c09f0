package io.idempotent.programs;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What became of a transaction, as seen at its connection.
 */
final class Transaction {

	/** What became of it. */
	enum Fate {

		OPEN, COMMITTED, ROLLED_BACK

	}

	private final boolean guarded;

	private final boolean readOnly;

	private final @Nullable Strand strand;

	private final List<Run> begunIn;

	private final List<Mark> marks = new ArrayList<>();

	private Fate fate = Fate.OPEN;

	private boolean inDoubt;

	private boolean spoiled;

	private boolean spoiledLate;

	private boolean aborted;

	private boolean committing;

	private boolean closed;

	private boolean ended;

	/**
	 * Creates a transaction.
	 * @param guarded whether it is on the guarded database
	 * @param readOnly whether it said that it only reads
	 * @param strand who began it
	 */
	Transaction(boolean guarded, boolean readOnly, @Nullable Strand strand) {
		this.guarded = guarded;
		this.readOnly = readOnly;
		this.strand = strand;
		this.begunIn = (strand != null) ? strand.running() : List.of();
	}

	@Nullable Strand strand() {
		return this.strand;
	}

	boolean carriesReceipts() {
		return this.guarded && !this.readOnly;
	}

	boolean isGuarded() {
		return this.guarded;
	}

	boolean isReadOnly() {
		return this.readOnly;
	}

	/** The runs inside of which it was begun. */
	List<Run> begunIn() {
		return this.begunIn;
	}

	List<Mark> marks() {
		return this.marks;
	}

	Mark mark() {
		Mark mark = new Mark(this);
		this.marks.add(mark);
		return mark;
	}

	int position() {
		return this.marks.size();
	}

	/** Whatever was marked since is undone. */
	void rollbackTo(int position) {
		this.marks.subList(position, this.marks.size()).forEach(Mark::undo);
	}

	boolean isOpen() {
		return this.fate == Fate.OPEN;
	}

	boolean isCommitted() {
		return this.fate == Fate.COMMITTED;
	}

	void complete(Fate fate, boolean doubtful) {
		if (isOpen()) {
			this.fate = fate;
			this.inDoubt = doubtful;
			if (doubtful) {
				this.begunIn.forEach(Run::doubt);
			}
		}
	}

	boolean isInDoubt() {
		return this.inDoubt;
	}

	/** An exception passed through it, or it was marked for rollback. */
	void spoil() {
		this.spoiled = true;
		this.spoiledLate |= this.committing;
	}

	/**
	 * Whether it was marked for rollback too late: Spring commits it, and says that it
	 * was rolled back.
	 */
	boolean isContradictory() {
		return this.spoiledLate && isCommitted();
	}

	boolean isSpoiled() {
		return this.spoiled;
	}

	/** A statement failed in it. */
	void abort() {
		this.aborted = true;
		this.spoiled = true;
	}

	boolean isAborted() {
		return this.aborted;
	}

	void committing() {
		this.committing = true;
	}

	void close() {
		complete(Fate.ROLLED_BACK, false);
		this.closed = true;
	}

	/** Spring commits it, or rolls it back. */
	void ends() {
		this.ended = true;
	}

	/** Whether it is left, with its connection, neither committed nor rolled back. */
	boolean isAbandoned() {
		return !this.ended && !this.closed;
	}

	/** Whether its callbacks have all run. */
	boolean isClosed() {
		return this.closed;
	}

	/**
	 * A place in a transaction: undone when it is rolled back to a savepoint from before.
	 */
	static final class Mark {

		private final Transaction transaction;

		private boolean undone;

		private Mark(Transaction transaction) {
			this.transaction = transaction;
		}

		Transaction transaction() {
			return this.transaction;
		}

		private void undo() {
			this.undone = true;
		}

		boolean isUndone() {
			return this.undone;
		}

		boolean isOpen() {
			return this.transaction.isOpen();
		}

		boolean isCommitted() {
			return this.transaction.isCommitted() && !this.undone;
		}

	}

}
