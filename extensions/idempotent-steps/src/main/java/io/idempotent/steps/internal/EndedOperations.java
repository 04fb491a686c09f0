package io.idempotent.steps.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.steps.OperationSteps;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Marks operations as ended, each second those of that time, so that no operation waits
 * for it. A mark that is lost does no harm: the operation is listed as unfinished, and
 * called again if it is resumable, which meets steps that are done.
 */
final class EndedOperations implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(OperationSteps.class);

	private static final int CAPACITY = 10_000;

	private final BlockingQueue<Ended> queue = new ArrayBlockingQueue<>(CAPACITY);

	private final ShortStatements database;

	private final ScheduledThreadPoolExecutor thread;

	@SuppressWarnings("FutureReturnValueIgnored")
	EndedOperations(ShortStatements database) {
		this.database = database;
		this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idempotent-ended-operations"));
		this.thread.scheduleWithFixedDelay(this::write, 1, 1, TimeUnit.SECONDS);
	}

	/** Never blocks. */
	void add(OperationKey key, Owner owner) {
		if (!this.queue.offer(new Ended(key, owner))) {
			logger.debug("The end of an operation (key " + key + ") is not recorded: " + CAPACITY + " wait already");
		}
	}

	/** Writes those that wait. Never throws: the executor would not call it again. */
	synchronized void write() {
		List<Ended> batch = new ArrayList<>();
		try {
			while (this.queue.drainTo(batch, StepTables.BATCH) > 0) {
				end(batch);
				batch.clear();
			}
		}
		catch (Throwable ex) {
			logger.warn(batch.size() + " operations have ended, but are listed as unfinished until the database "
					+ "responds", ex);
			batch.forEach(this.queue::offer);
		}
	}

	/** Each by the attempt that has ended it, unless another one has taken it over. */
	private void end(List<Ended> batch) {
		this.database.run("record the end of operations",
				(session) -> session.updateAll(
						"update idempotent_operation set error = null, resume_at = null, ended_at = "
								+ session.dialect().microseconds() + " where operation_key = ? and owner = ?",
						batch.stream()
							.map((one) -> new @Nullable Object[] { one.key().digest().bytes(), one.owner().bytes() })
							.toList()));
	}

	@Override
	public void close() {
		this.thread.shutdown();
		write();
	}

	/** An operation, and the attempt that has ended it. */
	record Ended(OperationKey key, Owner owner) {
	}

}
