package io.idempotent.lock.administration;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A lock that a thread of this node holds.
 *
 * @param name the name of the lock, without the namespace of the application
 * @param engine the name of the engine that granted it
 * @param mode {@code write}, or {@code read} if it is shared
 * @param thread the name of the thread that acquired it
 * @param leaseLeft how long the lease is valid without renewal, by the clock of this JVM;
 * {@code null} if it has no end
 * @param token the fencing token; {@code null} for a reader, which has none
 * @param valid whether the lease has not ended
 */
public record HeldLockInfo(String name, String engine, String mode, String thread, Instant since,
		@Nullable Duration leaseLeft, @Nullable Long token, boolean valid) {
}
