package io.idempotent.lock.administration;

import java.time.Instant;

import io.idempotent.lock.LockMode;

/**
 * A thread of this node that waits for a lock.
 *
 * @param name the name of the lock, without the namespace of the application
 * @param engine the name of the engine
 * @param mode whether the lock is to be shared
 * @param thread the name of the thread
 * @param since since when it waits
 */
public record WaitingThread(String name, String engine, LockMode mode, String thread, Instant since) {
}
