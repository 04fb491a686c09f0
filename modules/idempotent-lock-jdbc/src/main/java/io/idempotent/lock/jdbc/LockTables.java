package io.idempotent.lock.jdbc;

/**
 * The tables of an engine.
 *
 * @param leases the lock of each name
 * @param readers the readers of each name
 * @param ids creates the ids of owners, readers and waiters
 */
record LockTables(LeaseTable leases, ReaderTable readers, OwnerIds ids) {
}
