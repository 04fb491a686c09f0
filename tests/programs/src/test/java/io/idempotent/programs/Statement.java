package io.idempotent.programs;

import java.util.List;

import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;

/**
 * What a program does.
 */
sealed interface Statement {

	/**
	 * Writes a row in the open transaction; does nothing without one that may write.
	 */
	record Write() implements Statement {
	}

	/**
	 * Writes a row of which there can be one for each key.
	 */
	record WriteUnique() implements Statement {
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
	 * The time of the open transaction on the guarded database is up.
	 */
	record TimeOut() implements Statement {
	}

	/**
	 * The next transaction that this thread begins on the guarded database gets no
	 * connection.
	 */
	record NoConnection() implements Statement {
	}

	/**
	 * Throws what a handler method answers with a 4xx: nothing took effect.
	 */
	record Reject() implements Statement {
	}

	/**
	 * Marks the innermost transaction for rollback.
	 */
	record RollbackOnly() implements Statement {
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
	 * The store forgets everything.
	 */
	record Flush() implements Statement {
	}

	/**
	 * The leases of all claims lapse. Only the local store's clock can be set.
	 */
	record Lapse() implements Statement {
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

		@Override
		public Block with(List<Statement> other) {
			return new Tx(this.manager, this.propagation, this.isolation, this.readOnly, other);
		}

	}

	/**
	 * Catches whatever its body throws.
	 *
	 * @param body what it does
	 */
	record Catch(List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Catch(other);
		}

	}

	/**
	 * Runs its body again when it throws, twice at most.
	 *
	 * @param body what it does
	 */
	record Retry(List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Retry(other);
		}

	}

	/**
	 * Sets a savepoint in the innermost transaction, and rolls back to it after its body.
	 *
	 * @param body what it does
	 */
	record Savepoint(List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Savepoint(other);
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
	 * The store cannot be reached meanwhile.
	 *
	 * @param body what is done
	 */
	record Away(List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Away(other);
		}

	}

	/**
	 * Runs on the other node, while this one waits.
	 *
	 * @param body what it does
	 */
	record Meanwhile(List<Statement> body) implements Block {

		@Override
		public Block with(List<Statement> other) {
			return new Meanwhile(other);
		}

	}

}
