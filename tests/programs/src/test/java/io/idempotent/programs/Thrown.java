package io.idempotent.programs;

import java.util.function.Supplier;

import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * What a program throws.
 */
enum Thrown {

	/** Not one of Spring's. */
	EXCEPTION(PlannedException::new),

	/** Spring takes these for failures of the commit if they are thrown before it. */
	TRANSACTION_EXCEPTION(() -> new TransactionSystemException("planned")),
	UNEXPECTED_ROLLBACK(() -> new UnexpectedRollbackException("planned")),

	/** Not an exception at all. */
	ERROR(PlannedError::new);

	// A constructor.
	@SuppressWarnings("ImmutableEnumChecker")
	private final Supplier<Throwable> create;

	Thrown(Supplier<Throwable> create) {
		this.create = create;
	}

	Throwable create() {
		return this.create.get();
	}

	/**
	 * Throws what is unchecked.
	 * @param failure an exception or an error
	 * @return never
	 */
	static RuntimeException rethrow(Throwable failure) {
		if (failure instanceof Error error) {
			throw error;
		}
		throw (RuntimeException) failure;
	}

	private static final class PlannedError extends Error {

		private static final long serialVersionUID = 1L;

		PlannedError() {
			super("planned", null, false, false);
		}

	}

}
