package io.idempotent.lock;

import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Several locks that are taken together or not at all. They are taken one after another
 * in the order of their names, so that two callers with the same names never wait for
 * each other in a circle, and given back in reverse. What {@link DistributedLock}
 * promises holds for each. If the lease of one runs out while the others are waited for,
 * all are given back and the attempt ends with a {@link LockLostException}.
 */
public interface MultiLock extends Lock {

	/**
	 * What is locked.
	 * @return the names, each once, sorted
	 */
	List<String> names();

	/**
	 * Whether the current thread holds every one of them.
	 * @return whether all are held
	 */
	boolean isHeldByCurrentThread();

	/**
	 * Whether the current thread holds every one of them and no lease has run out.
	 * @return whether all leases are honoured
	 */
	boolean isValid();

	/**
	 * The fencing token of one of the locks; tokens of different locks do not compare.
	 * @param name one of the names
	 * @return its token
	 * @throws IllegalArgumentException if this is none of the names
	 * @throws IllegalMonitorStateException if the current thread does not hold it
	 */
	long fencingToken(String name);

	/**
	 * Tells a listener of each of the holds that is lost before it is released.
	 * @param listener the listener
	 * @throws IllegalMonitorStateException if the current thread does not hold them
	 */
	void onLoss(LockListener listener);

	/**
	 * Gives all of them back, also when some were lost.
	 * @throws IllegalMonitorStateException if the current thread has not locked all of
	 * them; then none is given back
	 * @throws LockLostException if one or more were lost meanwhile
	 */
	@Override
	void unlock();

}
