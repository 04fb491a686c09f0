package io.idempotent.lock;

import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Several locks that are acquired together or not at all. They are acquired one after
 * another in the order of their names, so that two callers with the same names do not
 * deadlock, and released in reverse order. The contract of {@link DistributedLock} holds
 * for each. If the lease of one lock ends while the others are waited for, all are
 * released and the attempt fails with a {@link LockLostException}.
 */
public interface MultiLock extends Lock {

	/** The names of the locks, each once, sorted. */
	List<String> names();

	/** Whether the current thread holds every one of them and no lease has ended. */
	boolean isValid();

	/**
	 * The fencing token of one of the locks; tokens of different locks cannot be
	 * compared.
	 * @throws IllegalArgumentException if the name is not one of them
	 * @throws IllegalMonitorStateException if the current thread does not hold it
	 */
	long fencingToken(String name);

	/**
	 * Notifies a listener of each lock that is lost before it is released.
	 * @throws IllegalMonitorStateException if the current thread does not hold them
	 */
	void onLoss(LockListener listener);

	/**
	 * Releases all of them, even if some were lost.
	 * @throws IllegalMonitorStateException if the current thread does not hold all of
	 * them; then none is released
	 * @throws LockLostException if one or more were lost meanwhile
	 */
	@Override
	void unlock();

}
