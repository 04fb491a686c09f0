package io.idempotent.persistence;

import io.idempotent.Idempotent;

import org.springframework.transaction.annotation.Transactional;

/**
 * Where payments are made: one operation, and one transaction.
 */
class Till {

	private final Interruption interruption;

	Till(Interruption interruption) {
		this.interruption = interruption;
	}

	@Idempotent(name = "pay", key = "#payment")
	@Transactional("paymentTransactions")
	public String pay(Library library, String payment) {
		library.insert(payment);
		this.interruption.run();
		return "paid " + payment;
	}

	/**
	 * The library begins and commits the transaction itself.
	 */
	@Idempotent(name = "pay-in-library", key = "#payment")
	public String payInTransactionOfLibrary(Library library, String payment) {
		library.insert(payment);
		return "paid " + payment;
	}

	/** What happens inside each transaction, after the effect. */
	@FunctionalInterface
	interface Interruption extends Runnable {

	}

}
