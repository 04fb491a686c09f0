package io.idempotent.programs;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.programs.Transaction.Fate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The oracle is believed because it has been seen to object: each case is told what came
 * of a transaction, and a wrong answer beside the right one.
 */
class OracleTests {

	private final Strand strand = new Strand("first node");

	private final Strand beside = new Strand("other node", true);

	private Oracle oracle = withReceipts();

	private static Oracle withReceipts() {
		return new Oracle(true, Map.of("k", Entrance.PLAIN, "unknown", Entrance.REJECTING, "void", Entrance.LISTENER));
	}

	@Test
	void aResultIsReplayedAndNothingElse() {
		run("k");
		answers("k", "k#1");
		assertNoDeviation();
		answers("k", "k#2");
		assertThat(kinds()).containsExactly(Kind.WRONG_VALUE);
	}

	@Test
	void whatIsDoneDoesNotRunAgain() {
		run("k");
		run("k");
		assertThat(kinds()).containsExactly(Kind.DOUBLE_EFFECT);
	}

	@Test
	void whatIsDoneIsNotRefused() {
		run("k");
		refuses("k", Refusal.RESPONSE_UNAVAILABLE);
		assertThat(kinds()).containsExactly(Kind.LOST_RESULT);
	}

	@Test
	void whatWasRolledBackIsNotAnswered() {
		Transaction transaction = begin();
		run("k", transaction);
		transaction.complete(Fate.ROLLED_BACK, false);
		answers("k", "k#1");
		assertThat(kinds()).containsExactly(Kind.LOST_EFFECT);
	}

	@Test
	void whatWasRolledBackToASavepointIsNotAnswered() {
		Transaction transaction = begin();
		int savepoint = transaction.position();
		run("k", transaction);
		transaction.rollbackTo(savepoint);
		commit(transaction, false);
		answers("k", "k#1");
		assertThat(kinds()).containsExactly(Kind.LOST_EFFECT);
	}

	@Test
	void aCallBeforeTheSavepointIsAnswered() {
		Transaction transaction = begin();
		run("k", transaction);
		transaction.rollbackTo(transaction.position());
		commit(transaction, false);
		answers("k", "k#1");
		assertNoDeviation();
	}

	@Test
	void aRepeatInTheSameOpenTransactionIsAnswered() {
		Transaction transaction = begin();
		run("k", transaction);
		answers("k", "k#1", transaction);
		assertNoDeviation();
		refuses("k", Refusal.IN_PROGRESS, transaction);
		assertThat(kinds()).containsExactly(Kind.STUCK);
	}

	@Test
	void whatRunsElsewhereIsInProgress() {
		KeyModel key = this.oracle.key("k");
		this.oracle.begin(key, this.oracle.expect(key, this.strand, Set.of()), this.strand, List.of());
		refused("k", Refusal.IN_PROGRESS, this.oracle.expect(key, this.beside, Set.of()));
		assertNoDeviation();
		this.oracle.begin(key, this.oracle.expect(key, this.beside, Set.of()), this.beside, List.of());
		assertThat(kinds()).containsExactly(Kind.DOUBLE_EFFECT);
	}

	@Test
	void whatThrewInATransactionThatWasCommittedIsDoneWithoutAResult() {
		Transaction transaction = begin();
		KeyModel key = this.oracle.key("k");
		Run run = begin(key, transaction);
		this.oracle.ended(run, Answer.threw(new PlannedException()));
		commit(transaction, false);
		refuses("k", Refusal.RESPONSE_UNAVAILABLE);
		assertNoDeviation();
		run("k");
		assertThat(kinds()).containsExactly(Kind.DOUBLE_EFFECT);
	}

	@Test
	void aCommitWhoseReplyWasLostIsACommit() {
		Transaction transaction = begin();
		run("k", transaction);
		commit(transaction, true);
		run("k");
		assertThat(kinds()).containsExactly(Kind.DOUBLE_EFFECT);
	}

	@Test
	void withoutReceiptsALostReplyMayBeARollback() {
		this.oracle = new Oracle(false, Map.of("k", Entrance.PLAIN));
		Transaction transaction = begin();
		run("k", transaction);
		commit(transaction, true);
		run("k");
		assertNoDeviation();
	}

	@Test
	void anotherManagerDecidesNothingWhereAGuardedTransactionDoes() {
		Transaction guarded = begin();
		Transaction foreign = begin(false);
		KeyModel key = this.oracle.key("k");
		Run run = this.oracle.begin(key, this.oracle.expect(key, this.strand, Set.of(guarded, foreign)), this.strand,
				List.of(guarded.mark(), foreign.mark()));
		run.bodyReturned();
		this.oracle.ended(run, Answer.returned(run.value()));
		commit(foreign, false);
		guarded.complete(Fate.ROLLED_BACK, false);
		answers("k", "k#1");
		assertThat(kinds()).containsExactly(Kind.LOST_EFFECT);
	}

	@Test
	void aRunIsNotRefusedBecauseOfItself() {
		Judge judge = new Judge(this.oracle);
		Transaction transaction = begin();
		run("k", transaction);
		commit(transaction, false);
		judge.judge(refusal("k", Refusal.RESPONSE_UNAVAILABLE), this.strand, "A transaction");
		assertThat(kinds()).containsExactly(Kind.FALSE_DUPLICATE);
	}

	@Test
	void aSecondEffectAfterAFlushIsRefused() {
		Transaction first = begin();
		run("k", first);
		commit(first, false);
		this.oracle.flush();
		Transaction second = begin();
		run("k", second);
		new Judge(this.oracle).judge(refusal("k", Refusal.RESPONSE_UNAVAILABLE), this.strand, "A transaction");
		second.complete(Fate.ROLLED_BACK, false);
		answers("k", "k#1");
		assertNoDeviation();
		refuses("k", Refusal.RESPONSE_UNAVAILABLE);
		assertThat(kinds()).containsExactly(Kind.LOST_RESULT);
	}

	@Test
	void twoCommittedAttemptsAreTwoEffects() {
		for (int i = 1; i <= 2; i++) {
			Transaction transaction = begin();
			KeyModel key = this.oracle.key("k");
			Run run = begin(key, transaction);
			this.oracle.wrote(i, transaction, run);
			run.bodyReturned();
			this.oracle.ended(run, Answer.returned(run.value()));
			commit(transaction, false);
			this.oracle.flush();
		}
		this.oracle.compare(Set.of(1L, 2L), Set.of("k"));
		assertThat(kinds()).containsExactly(Kind.DOUBLE_EFFECT);
	}

	@Test
	void rowsAndReceiptsAreCompared() {
		Transaction transaction = begin();
		this.oracle.wrote(1, transaction, null);
		commit(transaction, false);
		this.oracle.compare(Set.of(), Set.of("k"));
		assertThat(kinds()).containsExactly(Kind.ROWS, Kind.RECEIPTS);
	}

	@Test
	void anOwnerWhoseLeaseHasLapsedRecordsItsEndWhereNobodyTookOver() {
		KeyModel key = this.oracle.key("unknown");
		Run run = begin(key);
		this.oracle.lapse();
		refused("unknown", Refusal.OUTCOME_UNKNOWN, this.oracle.expect(key, this.beside, Set.of()));
		run.bodyReturned();
		this.oracle.ended(run, Answer.returned(run.value()));
		answers("unknown", "unknown#1");
		assertNoDeviation();
		refuses("unknown", Refusal.OUTCOME_UNKNOWN);
		assertThat(kinds()).containsExactly(Kind.STUCK);
	}

	@Test
	void aListenerIsAcknowledgedOnlyWhenItIsDone() {
		answers("void", Expectation.NOTHING);
		assertThat(kinds()).containsExactly(Kind.LOST_EFFECT);
	}

	private Transaction begin() {
		return begin(true);
	}

	private Transaction begin(boolean guarded) {
		Transaction transaction = new Transaction(guarded, false, this.strand);
		this.strand.began(transaction);
		return transaction;
	}

	private void commit(Transaction transaction, boolean inDoubt) {
		transaction.complete(Fate.COMMITTED, inDoubt);
		this.oracle.committed(transaction);
		transaction.close();
	}

	private Run begin(KeyModel key, Transaction... scope) {
		List<Transaction.Mark> marks = List.of(scope).stream().map(Transaction::mark).toList();
		return this.oracle.begin(key, this.oracle.expect(key, this.strand, Set.of(scope)), this.strand, marks);
	}

	private void run(String name, Transaction... scope) {
		Run run = begin(this.oracle.key(name), scope);
		run.bodyReturned();
		this.oracle.ended(run, Answer.returned(run.value()));
	}

	private void answers(String name, String value, Transaction... live) {
		KeyModel key = this.oracle.key(name);
		Expectation expected = this.oracle.expect(key, this.strand, Set.of(live));
		this.oracle.answered(key, expected, Answer.returned(value));
	}

	private void refuses(String name, Refusal refusal, Transaction... live) {
		refused(name, refusal, this.oracle.expect(this.oracle.key(name), this.strand, Set.of(live)));
	}

	private void refused(String name, Refusal refusal, Expectation expected) {
		this.oracle.answered(this.oracle.key(name), expected, Answer.threw(refusal(name, refusal)));
	}

	private SubmissionRefusedException refusal(String name, Refusal refusal) {
		return new SubmissionRefusedException(refusal, this.oracle.key(name).entrance().operation());
	}

	private List<Kind> kinds() {
		return this.oracle.deviations().stream().map(Deviation::kind).toList();
	}

	private void assertNoDeviation() {
		assertThat(this.oracle.deviations()).isEmpty();
	}

}
