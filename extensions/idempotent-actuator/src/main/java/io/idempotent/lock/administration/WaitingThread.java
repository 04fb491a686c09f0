package io.idempotent.lock.administration;

import java.time.Instant;

/**
 * A thread of this node that waits for a lock.
 *
 * @param name the name of the lock, without the namespace of the application
 * @param mode {@code write}, or {@code read} if the lock is to be shared
 */
public record WaitingThread(String name, String engine, String mode, String thread, Instant since) {
}
