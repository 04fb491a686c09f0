package io.idempotent.programs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.programs.Transaction.Mark;
import org.jspecify.annotations.Nullable;

/**
 * Says what may come of the calls of one program. It is told what its transactions came
 * to at their connections, and knows nothing of the library but its documents.
 *
 * <p>
 * Where the documents leave something open, it allows everything that they leave open;
 * {@code tests/programs/README.md} lists these exceptions.
 */
final class Oracle {

	private final boolean receipts;

	private final Map<String, KeyModel> keys = new LinkedHashMap<>();

	private final List<Row> rows = new ArrayList<>();

	private final List<Deviation> deviations = new ArrayList<>();

	private boolean away;

	Oracle(boolean receipts, Map<String, Entrance> keys) {
		this.receipts = receipts;
		keys.forEach((name, entrance) -> this.keys.put(name, new KeyModel(name, entrance, receipts)));
	}

	KeyModel key(String name) {
		KeyModel key = this.keys.get(name);
		if (key == null) {
			throw new IllegalArgumentException("No key " + name);
		}
		return key;
	}

	Collection<KeyModel> keys() {
		return this.keys.values();
	}

	List<Deviation> deviations() {
		return this.deviations;
	}

	void deviates(Kind kind, String message) {
		this.deviations.add(new Deviation(kind, message));
	}

	void away(boolean now) {
		settle();
		this.away = now;
	}

	boolean isAway() {
		return this.away;
	}

	void flush() {
		settle();
		this.keys.values().forEach(KeyModel::flush);
	}

	void lapse() {
		settle();
		this.keys.values().forEach(KeyModel::lapse);
	}

	void settle() {
		this.keys.values().forEach((key) -> key.settle(this.away));
	}

	/**
	 * A row is written.
	 * @param id which one
	 * @param transaction where
	 * @param run by whom
	 */
	void wrote(long id, Transaction transaction, @Nullable Run run) {
		this.rows.add(new Row(id, transaction.mark(), run));
	}

	/**
	 * A transaction was committed by the database, whatever it has told.
	 * @param transaction the transaction
	 */
	void committed(Transaction transaction) {
		if (!this.receipts || !transaction.carriesReceipts()) {
			return;
		}
		Set<Run> part = new LinkedHashSet<>(transaction.begunIn());
		for (KeyModel key : this.keys.values()) {
			key.runs().stream().filter((run) -> !run.marksOf(transaction).isEmpty()).forEach((run) -> {
				if (run.inScope(transaction)) {
					part.add(run);
				}
			});
		}
		part.forEach((run) -> run.key().committed(run, transaction));
	}

	Expectation expect(KeyModel key, Strand strand, Set<Transaction> live) {
		settle();
		return key.expect(strand, live, this.away);
	}

	/**
	 * Checks the answer to a call whose operation was not run.
	 * @param key the key
	 * @param expected what may come of it
	 * @param answer what came
	 */
	void answered(KeyModel key, Expectation expected, Answer answer) {
		judge(key, expected, answer);
		if (expected.mayRun()) {
			// It failed before it was run, and its receipt has answered.
			notEntered(key);
		}
	}

	private void judge(KeyModel key, Expectation expected, Answer answer) {
		if (expected.joined() != null) {
			deviates(Kind.STUCK, "A call of " + key.name() + " inside of its own run got " + answer);
		}
		else if (answer.failure() instanceof SubmissionRefusedException refused) {
			if (!expected.mayRefuse(refused.refusal())) {
				deviates(kindOf(expected, refused.refusal()), "A call of " + key.name() + " was refused ("
						+ refused.refusal().code() + "), expected " + expected);
			}
		}
		else if (answer.failure() == null && !isAllowed(key, expected, answer.value())) {
			boolean known = key.runs().stream().anyMatch((run) -> run.value().equals(answer.value()));
			deviates((known || key.entrance().isVoid()) ? Kind.LOST_EFFECT : Kind.WRONG_VALUE,
					"A call of " + key.name() + " was answered '" + answer.value() + "', expected " + expected);
		}
	}

	private static boolean isAllowed(KeyModel key, Expectation expected, @Nullable String value) {
		if (key.entrance().isVoid()) {
			return expected.isAnything() || expected.mayAnswer(Expectation.NOTHING);
		}
		return value != null && (expected.mayAnswer(value)
				|| (expected.isAnything() && key.runs().stream().anyMatch((run) -> run.value().equals(value))));
	}

	private static Kind kindOf(Expectation expected, Refusal refusal) {
		boolean done = refusal == Refusal.RESPONSE_UNAVAILABLE || refusal == Refusal.DUPLICATE;
		if (expected.mayRun()) {
			return done ? Kind.LOST_EFFECT : Kind.STUCK;
		}
		return (done && !expected.values().isEmpty()) ? Kind.LOST_RESULT : Kind.STUCK;
	}

	/**
	 * An operation is run.
	 * @param key the key
	 * @param expected what may come of the call
	 * @param strand who runs it
	 * @param scope where in its transactions
	 * @return the run
	 */
	Run begin(KeyModel key, Expectation expected, Strand strand, List<Mark> scope) {
		if (!expected.mayRun()) {
			deviates(Kind.DOUBLE_EFFECT, "A call of " + key.name() + " ran, expected " + expected);
		}
		return key.begin(expected, strand, scope);
	}

	/**
	 * A call has failed before its operation was run.
	 * @param key the key
	 */
	void notEntered(KeyModel key) {
		settle();
		if (!this.away) {
			key.notEntered();
		}
	}

	/**
	 * Checks the answer to a call whose operation was run.
	 * @param run the run
	 * @param answer what came
	 */
	void ended(Run run, Answer answer) {
		KeyModel key = run.key();
		boolean conflict = key.receipt().mayRefuse(run);
		boolean own = run.value().equals(answer.value());
		if (answer.failure() == null && !key.entrance().isVoid()) {
			if (own && run.isRefused() && conflict && !key.receipt().kept().contains(run.value())) {
				deviates(Kind.WRONG_VALUE, "A run of " + key.name() + " was refused, and answered '" + run + "'");
			}
			if (!own && !mayAnswer(key, conflict, answer.value())) {
				deviates(Kind.WRONG_VALUE, "The run " + run + " was answered '" + answer.value() + "'");
			}
		}
		run.ended(answer.failure() == null && (own || key.entrance().isVoid()), this.away);
		settle();
	}

	/** Whether a run may be answered by what another has kept. */
	private static boolean mayAnswer(KeyModel key, boolean conflict, @Nullable String value) {
		return value != null && ((conflict && key.receipt().kept().contains(value))
				|| (key.receipt().isMissing() && key.runs().stream().anyMatch((run) -> run.value().equals(value))));
	}

	/**
	 * Whether an operation may be refused as done after it has run, at the end of its
	 * call or of a transaction.
	 * @param refused the refusal
	 * @param strand who met it
	 * @return whether one of its runs met the receipt of another
	 */
	boolean explains(SubmissionRefusedException refused, Strand strand) {
		boolean explained = false;
		for (KeyModel key : this.keys.values()) {
			if (key.entrance().operation().equals(refused.operation()) && this.receipts) {
				for (Run run : key.runs()) {
					if (run.strand() == strand && key.receipt().mayRefuse(run)) {
						if (!run.isDecided()) {
							run.refused();
						}
						explained = true;
					}
				}
				explained |= key.receipt().isMissing();
			}
		}
		return explained;
	}

	/**
	 * Whether two attempts of one key are on their way, so that one waits for the other.
	 */
	boolean hasRivals() {
		return this.keys.values()
			.stream()
			.anyMatch((key) -> key.runs()
				.stream()
				.filter((run) -> !run.isDecided())
				.map(Run::attempt)
				.distinct()
				.count() > 1);
	}

	/**
	 * Compares what the database holds at the end.
	 * @param present the rows
	 * @param receiptsPresent the keys that have a receipt
	 */
	void compare(Set<Long> present, Set<String> receiptsPresent) {
		for (Row row : this.rows) {
			if (row.mark().isCommitted() != present.contains(row.id())) {
				deviates(Kind.ROWS, "The row " + row.id() + " of " + row.run() + " is "
						+ (present.contains(row.id()) ? "there, and was rolled back" : "missing, and was committed"));
			}
		}
		if (this.receipts) {
			this.keys.values().forEach((key) -> compare(key, receiptsPresent.contains(key.name())));
		}
	}

	private void compare(KeyModel key, boolean receiptPresent) {
		if (key.receipt().isMissing()) {
			return;
		}
		long attempts = this.rows.stream()
			.filter((row) -> row.run() != null && row.run().key() == key && row.mark().isCommitted())
			.map((row) -> row.run().attempt())
			.filter((attempt) -> !attempt.isWithdrawn())
			.distinct()
			.count();
		if (attempts > 1) {
			deviates(Kind.DOUBLE_EFFECT, attempts + " attempts of " + key.name() + " have committed");
		}
		if (key.receipt().isThere() != receiptPresent) {
			deviates(Kind.RECEIPTS, "There is " + (receiptPresent ? "a receipt of " : "no receipt of ") + key.name());
		}
	}

	/**
	 * A row that was written.
	 *
	 * @param id which one
	 * @param mark where
	 * @param run by whom
	 */
	private record Row(long id, Mark mark, @Nullable Run run) {
	}

}
