package io.idempotent.programs;

import java.util.List;

/**
 * The mends of what was found at the transaction border, and parts of the library without
 * which it would be found: each as the lines that are its heart, and what stands there
 * without it. The library is compiled without one of them, and the generator has to find
 * that.
 */
enum Mend {

	/** A completed transaction has no say in the transactions of its callbacks. */
	T1(new Edit("transaction/TransactionScope", "each.outcome() == TransactionOutcome.OPEN", "true")),

	/** Receipts are the last thing before the commit, after all callbacks. */
	T2(new Edit("transaction/ObservedTransaction",
			"private final class FirstSynchronization implements TransactionSynchronization, PriorityOrdered {", """
					private final class FirstSynchronization implements TransactionSynchronization, PriorityOrdered {
						@Override
						public void beforeCommit(boolean readOnlyNow) {
							runBeforeCommit();
						}
					"""), new Edit("jdbc/receipt/ReceiptWriter", "other.hasWritten(receipt)", "false")),

	/** A call begins inside of the transaction of its method. */
	T3(new Edit("support/TargetInterceptor", "listener.begins();", ""),
			new Edit("method/internal/call/CallExecutor", "() -> action.apply(new Invocation(call, this.pending)));",
					"""
							() -> {
								Invocation target = new Invocation(call, this.pending);
								target.begins();
								return action.apply(target);
							});
							""")),

	/** The commit of a foreign transaction says nothing of an effect. */
	T7(new Edit("jdbc/receipt/ReceiptGuard", "each.receipt().addUnguarded();", """
			AttemptReceipt early = each.receipt();
			if (TransactionScope.openOn(this.dataSource) != null) {
				transaction.afterCompletion(() -> early.markCommitted(Outcome.TOMBSTONE));
			}
			""")),

	/** A commit is known before its callbacks run, and ends the doubt of one before. */
	T9(new Edit("transaction/ObservedTransaction",
			"ObservedTransaction.this.callbacks.complete(TransactionOutcome.COMMITTED);", ""),
			new Edit("jdbc/receipt/ReceiptWriter", "receipt.markNotCommitted();", ""),
			new Edit("jdbc/receipt/ReceiptWriter", "other.hasWritten(receipt)", "false")),

	/** A refused run is recorded with what the receipt holds. */
	T10(new Edit("submission/receipt/AttemptReceipt", "null : found.outcome();", "null : Outcome.TOMBSTONE;"),
			new Edit("submission/Decider", "if (!lacksResult || ", "if (true || ")),

	/** A repeat that may not run leaves a lapsed claim to its owner. */
	T11(new Edit("submission/claim/Submission", "ClaimRequest.Lapsed.LEAVE", "ClaimRequest.Lapsed.TAKE_OVER")),

	/** The result of an inner invocation is its own. */
	T12(new Edit("method/internal/call/CallExecution",
			"if (this.pending != null) {\n\t\t\t\tthis.call.commitsWith(result);",
			"{\n\t\t\t\tthis.call.commitsWith(result);")),

	/** The receipt is looked up before a key is freed. */
	T13(new Edit("submission/receipt/AttemptReceipt", "null : find(this.receipts);",
			"null : hasEarlierEffect() ? Outcome.TOMBSTONE : null;")),

	/** An answer that comes too late for its record is kept with the receipt. */
	T15(new Edit("submission/claim/Claim", "this.receipt.addOutcome(end.outcome());", ""),
			new Edit("submission/claim/Claim", "this.receipt.addOutcome(outcome);", "")),

	/**
	 * A method that rolls its own transaction back has done nothing, though it returns.
	 */
	T21(new Edit("method/internal/call/CallExecution", "if (decisive == TransactionOutcome.ROLLED_BACK) {",
			"if (decisive == TransactionOutcome.ROLLED_BACK && !known.isEffect()) {")),

	/** What Spring neither commits nor rolls back is rolled back. */
	M1(new Edit("transaction/ObservedTransaction", "this.execution == null || begun", "reported != null")),

	/** The end of a call is recorded when its transactions have completed. */
	SCOPES(new Edit("submission/DecidedSubmission", "TransactionScope scope = TransactionScope.current();",
			"TransactionScope scope = TransactionScope.NONE;")),

	/** The transactions of a call are those of its body, not those around it. */
	SCOPE_OF_THE_BODY(
			new Edit("submission/DecidedSubmission", "TransactionScope scope = TransactionScope.current();",
					"TransactionScope scope = TransactionScope.NONE;"),
			new Edit("method/internal/call/PendingCalls", "TransactionScope scope = call.decided().transactions();",
					"call.decided().within(TransactionScope.current()); "
							+ "TransactionScope scope = call.decided().transactions();")),

	/** A repeat in the same transaction is known. */
	REPEATS(new Edit("method/internal/call/PendingCalls", "if (call != null) {", "if (false) {")),

	/** The entry of a body is seen. */
	BODY(new Edit("support/TargetInterceptor", "listener.begins();", ""),
			new Edit("support/TargetInterceptor", "listener.returns(result);", "")),

	/** The entry of a body is seen inside of its own transaction. */
	BODY_INSIDE(
			new Edit("boot/IdempotencyCallAutoConfiguration", "::isTarget, Ordered.LOWEST_PRECEDENCE,",
					"::isTarget, AdvisorOrder.LOCK + 1,"),
			new Edit("boot/internal/start/AnnotationChecks",
					"(each) -> each.getAdvice() instanceof TransactionInterceptor", "(each) -> false")),

	/** Transactions inside of an operation leave a receipt. */
	TRANSACTIONS(new Edit("jdbc/receipt/ReceiptRegistrar", "this.guard.began(transaction);", "")),

	/** Transactions around an operation leave a receipt. */
	SCOPE_RECEIPT(new Edit("jdbc/receipt/ReceiptGuard", Edit.JOIN, Edit.JOIN + " if (true) { return null; }")),

	/**
	 * A receipt belongs to the transactions of the body, not to those around the call.
	 */
	RECEIPT_OF_THE_BODY(
			new Edit("jdbc/receipt/ReceiptGuard", Edit.JOIN, Edit.JOIN
					+ " return null; } private TransactionScope.@Nullable Point joinEarly(AttemptReceipt receipt) {"),
			new Edit("jdbc/receipt/ReceiptGuard", "Running outer = this.running.get();",
					"joinEarly(receipt); Running outer = this.running.get();")),

	/** A receipt is looked up. */
	LOOK_UP(new Edit("jdbc/receipt/ReceiptGuard", "return this.table.find(key);", "return Optional.empty();")),

	/** A receipt proves more than that there was an effect. */
	KEPT_RESULT(new Edit("jdbc/receipt/ReceiptGuard", "return this.table.find(key);", """
			return this.table.find(key).map((found) -> new Receipt(found.owner(), found.attempt(), Outcome.TOMBSTONE,
					found.fingerprint(), found.age()));
			""")),

	/** The receipt of a rejected request is withdrawn. */
	WITHDRAWAL(new Edit("jdbc/receipt/ReceiptGuard", "this.table.delete(receipt.claimId());", ""));

	// Of List.of.
	@SuppressWarnings("ImmutableEnumChecker")
	private final List<Edit> edits;

	Mend(Edit... edits) {
		this.edits = List.of(edits);
	}

	List<Edit> edits() {
		return this.edits;
	}

	/**
	 * A line of a class and what stands there without the mend.
	 *
	 * @param type the class, below the package of the library
	 * @param is the line
	 * @param was what stands there without the mend
	 */
	record Edit(String type, String is, String was) {

		private static final String JOIN = "public TransactionScope.@Nullable Point join(AttemptReceipt receipt) {";

		String undo(String source) {
			int found = source.indexOf(this.is);
			if (found < 0 || source.indexOf(this.is, found + 1) >= 0) {
				throw new IllegalStateException(
						"The mend has moved: '" + this.is + "' does not stand once in " + this.type);
			}
			return source.replace(this.is, this.was);
		}

	}

}
