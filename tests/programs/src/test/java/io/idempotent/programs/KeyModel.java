package io.idempotent.programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.idempotent.Refusal;
import io.idempotent.programs.Transaction.Mark;
import org.jspecify.annotations.Nullable;

/**
 * What may be known of one key: by its record in the store, and by its receipt.
 */
final class KeyModel {

	/** What the store holds when nobody is at it. */
	private enum RecordState {

		ABSENT, DONE, UNKNOWN, FUZZY

	}

	private final String name;

	private final Entrance entrance;

	private final boolean receipts;

	private final List<Run> runs = new ArrayList<>();

	private RecordState record = RecordState.ABSENT;

	private final Set<String> done = new HashSet<>();

	private final ReceiptModel receipt = new ReceiptModel();

	private boolean contradicted;

	KeyModel(String name, Entrance entrance, boolean receipts) {
		this.name = name;
		this.entrance = entrance;
		this.receipts = receipts;
	}

	String name() {
		return this.name;
	}

	Entrance entrance() {
		return this.entrance;
	}

	List<Run> runs() {
		return this.runs;
	}

	ReceiptModel receipt() {
		return this.receipt;
	}

	Run begin(Expectation expected, Strand strand, List<Mark> scope) {
		Run.Attempt attempt = expected.continued();
		Run run = new Run(this, this.name + "#" + (this.runs.size() + 1), strand, scope,
				(attempt != null) ? attempt : new Run.Attempt());
		this.runs.stream().filter((each) -> each.attempt() == run.attempt()).forEach(run::continues);
		if (run.holdsClaim()) {
			this.runs.stream()
				.filter((each) -> !each.isDecided() && each.attempt() != run.attempt())
				.forEach(Run::supersede);
		}
		this.runs.add(run);
		return run;
	}

	/**
	 * What may come of a call.
	 * @param strand who calls
	 * @param live the transactions that are open and not suspended
	 * @param away whether the store cannot be reached
	 * @return the expectation
	 */
	Expectation expect(Strand strand, Set<Transaction> live, boolean away) {
		Run around = strand.running(this);
		if (around != null) {
			return Expectation.joins(around);
		}
		Expectation expected = new Expectation();
		if (this.contradicted) {
			expected.anything();
		}
		Run pending = pendingIn(strand, live);
		if (pending != null && !pending.isAmbiguous() && !this.contradicted) {
			repeats(pending, expected);
			return expected;
		}
		Run holder = null;
		for (Run run : this.runs) {
			if (!run.isDecided() && run.isAmbiguous()) {
				expected.anything();
			}
			if (!run.isDecided() && run.holdsClaim()) {
				holder = run;
			}
		}
		if (away) {
			expected.refuses(Refusal.STORE_UNAVAILABLE);
		}
		else if (holder == null) {
			asRecorded(expected, strand);
		}
		else if (holder.isLapsed()) {
			asUnknown(expected);
		}
		else {
			expected.refuses(Refusal.IN_PROGRESS);
		}
		return expected;
	}

	private @Nullable Run pendingIn(Strand strand, Set<Transaction> live) {
		Run found = null;
		for (Run run : this.runs) {
			if (!run.isDecided() && run.hasEnded() && run.strand() == strand
					&& !Collections.disjoint(run.openScope(), live)) {
				found = run;
			}
		}
		return found;
	}

	/** A repeat in the scope of a call that is not decided. */
	private void repeats(Run pending, Expectation expected) {
		expected.continues(pending.attempt());
		if (pending.isContradictory() || (pending.isInDoubt() && !this.receipts)) {
			expected.anything();
		}
		else if (pending.hasReturned() && !pending.isUndone(this.receipts)) {
			expected.value(answerOf(pending));
		}
		else if (this.receipt.isSurelyOf(pending)) {
			asKept(expected);
		}
		else {
			expected.runs();
			if (this.receipt.mayRefuse(pending) && pending.attempt().isRefused()) {
				asKept(expected);
			}
		}
	}

	private void asRecorded(Expectation expected, Strand strand) {
		switch (this.record) {
			case ABSENT -> {
				expected.runs();
				// Where its transaction cannot begin, the receipt is looked up.
				if (this.receipt.isThere() && (this.entrance.mayFailBeforeItsBody() || strand.isExhausted())) {
					asKept(expected);
				}
			}
			case DONE -> this.done.forEach((answer) -> answers(answer, expected));
			case UNKNOWN -> asUnknown(expected);
			case FUZZY -> expected.anything();
		}
	}

	private void asUnknown(Expectation expected) {
		if (this.receipt.isThere()) {
			asKept(expected);
		}
		else if (this.entrance == Entrance.REJECTING) {
			expected.refuses(Refusal.OUTCOME_UNKNOWN);
		}
		else {
			expected.runs();
		}
	}

	private void asKept(Expectation expected) {
		this.receipt.kept().forEach((answer) -> answers(answer, expected));
	}

	private void answers(String answer, Expectation expected) {
		if (answer.equals(ReceiptModel.TOMBSTONE)) {
			refusesAsDone(expected);
		}
		else {
			expected.value(answer);
		}
	}

	private void refusesAsDone(Expectation expected) {
		if (this.entrance.isVoid()) {
			expected.value(Expectation.NOTHING);
		}
		else {
			expected.refuses(Refusal.RESPONSE_UNAVAILABLE);
		}
	}

	private String answerOf(Run run) {
		return this.entrance.isVoid() ? Expectation.NOTHING : run.value();
	}

	/**
	 * A transaction was committed in which a run took part.
	 * @param run the run
	 * @param transaction the transaction
	 */
	void committed(Run run, Transaction transaction) {
		if (transaction.isContradictory() && transaction.isInDoubt()) {
			contradict();
			return;
		}
		this.receipt.committed(run, transaction, answerOf(run));
	}

	/** A call has failed before its body: its receipt was looked up. */
	void notEntered() {
		if (this.record == RecordState.ABSENT && nobodyHolds() && this.receipt.isThere()) {
			this.record = RecordState.DONE;
			this.done.addAll(this.receipt.kept());
		}
	}

	/** Nothing can be said of it any longer. */
	void contradict() {
		this.receipt.missing();
		this.contradicted = true;
		this.record = RecordState.FUZZY;
	}

	/** The store forgets everything. */
	void flush() {
		boolean settling = this.runs.stream().anyMatch((run) -> run.isDecided() && run.isSettling());
		this.runs.stream().filter((run) -> !run.isDecided()).forEach(Run::forget);
		this.done.clear();
		this.record = (this.record == RecordState.FUZZY || this.contradicted || settling) ? RecordState.FUZZY
				: RecordState.ABSENT;
	}

	/** All leases lapse. */
	void lapse() {
		this.runs.stream().filter((run) -> !run.isDecided()).forEach(Run::lapse);
		if (this.runs.stream().anyMatch((run) -> run.isDecided() && run.isSettling())) {
			this.record = RecordState.FUZZY;
		}
	}

	/**
	 * Decides what can be decided.
	 * @param away whether the store cannot be reached
	 */
	void settle(boolean away) {
		for (Run run : this.runs) {
			if (!run.isDecided() && run.hasEnded() && !run.isPending()) {
				run.decided();
				decide(run, away || run.hasEndedWhileAway());
			}
		}
	}

	private void decide(Run run, boolean away) {
		Set<String> answers = new HashSet<>();
		Outcome outcome = outcome(run, answers);
		if (away || outcome == Outcome.FUZZY || this.contradicted) {
			this.record = RecordState.FUZZY;
			return;
		}
		boolean free = run.holdsClaim() || (this.record == RecordState.ABSENT && nobodyHolds());
		if (this.receipt.isOfAnother(run)) {
			if (outcome == Outcome.DONE) {
				answers.add(ReceiptModel.TOMBSTONE);
			}
			else {
				answers.clear();
			}
			answers.addAll(this.receipt.kept());
			outcome = Outcome.DONE;
		}
		else if (run.isRefused()) {
			answers.addAll(this.receipt.kept());
			answers.add(ReceiptModel.TOMBSTONE);
		}
		if (this.record == RecordState.FUZZY) {
			return;
		}
		switch (outcome) {
			case DONE -> done(answers, free);
			case NOT_DONE -> this.record = run.holdsClaim() ? RecordState.ABSENT : this.record;
			case UNKNOWN -> this.record = run.holdsClaim() ? RecordState.UNKNOWN : this.record;
			case FUZZY -> this.record = RecordState.FUZZY;
		}
	}

	private void done(Set<String> answers, boolean free) {
		if (free) {
			this.record = RecordState.DONE;
			this.done.addAll(answers);
		}
		else if (this.record == RecordState.DONE) {
			this.done.addAll(answers);
		}
	}

	private boolean nobodyHolds() {
		return this.runs.stream().noneMatch((each) -> !each.isDecided() && each.holdsClaim());
	}

	private Outcome outcome(Run run, Set<String> answers) {
		answers.addAll(answers(run));
		if (run.isPerhapsRejected()) {
			run.attempt().withdraw();
			this.receipt.missing();
			return Outcome.FUZZY;
		}
		if (run.isRejected() && !run.isRefused()) {
			boolean had = this.receipt.isOf(run);
			this.receipt.withdraw(run);
			if (had && run.isLapsed()) {
				return Outcome.FUZZY;
			}
		}
		if (run.isContradictory() && run.isInDoubt()) {
			return Outcome.FUZZY;
		}
		if (this.receipts) {
			if (run.isAmbiguous()) {
				return Outcome.FUZZY;
			}
			if (this.receipt.isOf(run)) {
				if (run.scope().stream().anyMatch((mark) -> !mark.isCommitted())) {
					// The result is that of a part which was rolled back.
					answers.add(ReceiptModel.TOMBSTONE);
				}
				if (run.isContradictory() || run.isInDoubt()) {
					answers.addAll(this.receipt.kept());
				}
				return Outcome.DONE;
			}
			List<Mark> guarded = run.scope().stream().filter((mark) -> mark.transaction().carriesReceipts()).toList();
			if (!guarded.isEmpty()) {
				return Outcome.NOT_DONE;
			}
		}
		return Outcome.byTransactionsOf(run, this.receipts);
	}

	private Set<String> answers(Run run) {
		if (run.hasReturned()) {
			return Set.of(answerOf(run));
		}
		return run.hasBodyReturned() ? Set.of(answerOf(run), ReceiptModel.TOMBSTONE) : Set.of(ReceiptModel.TOMBSTONE);
	}

}
