package io.idempotent.lock.engine;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedReadWriteLock;

/**
 * The two locks of one name.
 *
 * @param readLock the lock for reading
 * @param writeLock the lock for writing
 */
record EngineReadWriteLock(DistributedLock readLock, DistributedLock writeLock) implements DistributedReadWriteLock {

}
