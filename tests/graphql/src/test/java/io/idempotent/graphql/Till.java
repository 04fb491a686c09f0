package io.idempotent.graphql;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/** What the shop has done. */
class Till {

	final AtomicInteger placed = new AtomicInteger();

	final AtomicInteger paid = new AtomicInteger();

	final AtomicInteger receipts = new AtomicInteger();

	/** What a payment does first. */
	volatile Callable<?> before = () -> "";

	/** The thread of the last payment. */
	volatile @Nullable String thread;

	void clear() {
		this.placed.set(0);
		this.paid.set(0);
		this.before = () -> "";
	}

}
