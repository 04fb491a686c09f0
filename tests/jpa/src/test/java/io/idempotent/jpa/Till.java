package io.idempotent.jpa;

import io.idempotent.Idempotent;
import io.idempotent.lock.DistributedLocked;

import org.springframework.transaction.annotation.Transactional;

/**
 * Where sales are made. Who calls it says how.
 */
class Till {

	@Idempotent(key = "#payment")
	@Transactional
	String inTransaction(String payment, Runnable work) {
		work.run();
		return "sold by " + payment;
	}

	@Idempotent(key = "#payment")
	String aroundTransactions(String payment, Runnable work) {
		work.run();
		return "sold by " + payment;
	}

	@DistributedLocked(name = "till", fenced = true)
	@Transactional
	void inLock(Runnable work) {
		work.run();
	}

}
