package io.idempotent.persistence;

import io.idempotent.Idempotent;

import org.springframework.transaction.annotation.Transactional;

/**
 * Where payments are made: one operation, and one transaction.
 */
class Till {

	private final Runnable afterInsert;

	/**
	 * Creates a till.
	 * @param afterInsert runs inside the transaction
	 */
	Till(Runnable afterInsert) {
		this.afterInsert = afterInsert;
	}

	@Idempotent(name = "pay", key = "#payment")
	@Transactional("paymentTransactions")
	public String pay(Library library, String payment) {
		library.insert(payment);
		this.afterInsert.run();
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

}
