package io.idempotent.programs;

import java.util.List;

import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;

/**
 * What a program does.
 */
sealed interface Statement {

	/**
	 * A statement that its name says all of.
	 */
	enum Simple implements Statement {

		/**
		 * Writes a row in the open transaction; does nothing without one that may write.
		 */
		WRITE,

		/** Writes a row of which there can be one for each key. */
		WRITE_UNIQUE,

		/** The time of the open transaction on the guarded database is up. */
		TIME_OUT,

		/**
		 * The next transaction that this thread begins on the guarded database gets no
		 * connection.
		 */
		NO_CONNECTION,

		/** Throws what a handler method answers with a 4xx: nothing took effect. */
		REJECT,

		/** Marks the innermost transaction for rollback. */
		ROLLBACK_ONLY,

		/** The store forgets everything. */
		FLUSH,

		/** The leases of all claims lapse. Only the local store's clock can be set. */
		LAPSE

	}

	/**
	 * Throws an exception.
	 *
	 * @param thrown what it is
	 * @param once whether it does so only when it is reached for the first time
	 */
	record Throw(Thrown thrown, boolean once) implements Statement {
	}

	/**
	 * Lets the commit of the open transaction on the guarded database fail, when it is
	 * reached for the first time.
	 *
	 * @param fault how it fails
	 */
	record FailCommit(CommitFault fault) implements Statement {
	}

	/**
	 * A statement with statements in it.
	 */
	sealed interface Block extends Statement {

		List<Statement> body();

		Block with(List<Statement> body);

	}

	/**
	 * Calls an operation.
	 *
	 * @param key the key
	 * @param body what it does if it runs
	 */
	record Call(String key, List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Call(this.key, other);
		}

	}

	/**
	 * Runs in a transaction.
	 *
	 * @param manager who begins it
	 * @param propagation how it stands to one that is open
	 * @param isolation its isolation
	 * @param readOnly whether it says that it only reads
	 * @param body what it does
	 */
	record Tx(Manager manager, Propagation propagation, Isolation isolation, boolean readOnly,
			List<Statement> body) implements Block {

		/** One of the guarded database's manager, with nothing special. */
		static Tx of(Propagation propagation, Statement... body) {
			return new Tx(Manager.MAIN, propagation, Isolation.DEFAULT, false, List.of(body));
		}

		@Override
		public Block with(List<Statement> other) {
			return new Tx(this.manager, this.propagation, this.isolation, this.readOnly, other);
		}

	}

	/**
	 * Publishes an event to a listener that belongs to the open transaction.
	 *
	 * @param moment the phase of the listener
	 * @param ordered whether the listener asks to be the first
	 * @param body what the listener does
	 */
	record Publish(Moment moment, boolean ordered, List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Publish(this.moment, this.ordered, other);
		}

	}

	/**
	 * Registers a synchronization with the open transaction; nothing without one.
	 *
	 * @param moment when it does something
	 * @param body what it does
	 */
	record Synchronize(Moment moment, List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Synchronize(this.moment, other);
		}

	}

	/**
	 * Runs under a lock.
	 *
	 * @param annotated whether by an annotated method or by the template
	 * @param fenced whether the lock has a fence in the guarded database
	 * @param body what it does
	 */
	record Lock(boolean annotated, boolean fenced, List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Lock(this.annotated, this.fenced, other);
		}

	}

	/**
	 * Does something around its body.
	 *
	 * @param kind what
	 * @param body what is in it
	 */
	record Around(Kind kind, List<Statement> body) implements Block {

		static Around of(Kind kind, Statement... body) {
			return new Around(kind, List.of(body));
		}

		@Override
		public Block with(List<Statement> other) {
			return new Around(this.kind, other);
		}

		enum Kind {

			/** Catches whatever its body throws. */
			CATCH,

			/** Runs its body again when it throws, twice at most. */
			RETRY,

			/**
			 * Sets a savepoint in the innermost transaction, and rolls back to it after
			 * its body.
			 */
			SAVEPOINT,

			/** The store cannot be reached meanwhile. */
			AWAY,

			/** Runs on the other node, while this one waits. */
			MEANWHILE

		}

	}

}
