package io.idempotent.steps.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.store.OperationKey;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * Which operations are to be called again, and when. Whoever changes the time of an
 * operation that is due may call it: so one node does. Another namespace in the same
 * database may have operations of the same name.
 */
record ResumptionTable(ShortStatements database, String namespace) {

	private static final int BATCH = 20;

	/**
	 * Of an operation whose arguments are kept, and of which a step has taken effect, or
	 * may have: otherwise the caller has seen an exception, and nothing is to be
	 * finished.
	 */
	static final String RESUMABLE = "arguments is not null and exists (select 1 from idempotent_step s "
			+ "where s.operation_key = idempotent_operation.operation_key and s.state in ('STARTED', 'DONE'))";

	private static final String UPDATE = "update idempotent_operation set ";

	private static final String ONE = " where operation_key = ?";

	private static final String ONE_DUE = ONE + " and resume_at = ?";

	/**
	 * Those of the given names whose time has come, at most {@value #BATCH}, if a step
	 * has taken effect, or may have.
	 */
	List<Due> due(Collection<String> operations) {
		String names = String.join(", ", Collections.nCopies(operations.size(), "?"));
		return this.database.run("look for interrupted operations",
				(session) -> session.all(
						"select operation_key, operation, resume_at, resumptions, error from idempotent_operation "
								+ "where resume_at <= " + session.dialect().microseconds()
								+ " and namespace = ? and operation in (" + names + ") and " + RESUMABLE
								+ " order by resume_at limit " + BATCH,
						(row) -> new Due(new OperationKey(Digest.of(row.getBytes(1))), row.getString(2), row.getLong(3),
								row.getInt(4), row.getString(5)),
						Stream.concat(Stream.of(this.namespace), operations.stream()).toArray()));
	}

	/**
	 * Returns the arguments; empty if another node was faster. The call is an attempt, so
	 * that no purge deletes the operation meanwhile.
	 */
	Optional<byte[]> take(Due due, Duration next) {
		byte[] key = due.keyBytes();
		return this.database.run("take over an interrupted operation", (session) -> {
			String now = session.dialect().microseconds();
			int taken = session.update(UPDATE + "resumptions = resumptions + 1, changed_at = " + now + ", resume_at = "
					+ now + " + ?" + ONE_DUE, TimeUnit.MICROSECONDS.convert(next), key, due.resumeAt());
			return (taken == 1)
					? session.first("select arguments from idempotent_operation" + ONE, (row) -> row.getBytes(1), key)
					: Optional.empty();
		});
	}

	/** Whether this node was the first to do so. */
	boolean abandon(Due due) {
		return this.database.run("abandon an operation", (
				session) -> session.update(UPDATE + "resume_at = null" + ONE_DUE, due.keyBytes(), due.resumeAt()) == 1);
	}

	/** Of an operation that runs. */
	void postpone(Due due, Duration next) {
		this.database.run("postpone an operation",
				(session) -> session.update(
						UPDATE + "resume_at = " + session.dialect().microseconds() + " + ?" + ONE_DUE,
						TimeUnit.MICROSECONDS.convert(next), due.keyBytes(), due.resumeAt()));
	}

	/** A call that has met a running attempt does not count. */
	void discount(Due due) {
		this.database.run("postpone an operation", (session) -> session
			.update(UPDATE + "resumptions = resumptions - 1" + ONE + " and resumptions > 0", due.keyBytes()));
	}

	/** A refusal may have noted its reason, which says more. */
	void fail(Due due, String error, boolean refused) {
		String change = refused ? "error = coalesce(error, ?)" : "error = ?";
		this.database.run("record the failure of an operation",
				(session) -> session.update(UPDATE + change + ONE, error, due.keyBytes()));
	}

	void end(Due due) {
		this.database.run("record the end of an operation",
				(session) -> session.update(UPDATE + "error = null, resume_at = null, ended_at = coalesce(ended_at, "
						+ session.dialect().microseconds() + ")" + ONE, due.keyBytes()));
	}

	/** An operation whose time has come, in microseconds of the database's clock. */
	record Due(OperationKey key, String operation, long resumeAt, int resumptions, @Nullable String error) {

		private byte[] keyBytes() {
			return this.key.digest().bytes();
		}

	}

}
