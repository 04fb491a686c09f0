package io.idempotent.engine;

/**
 * The current activity of a gate, for metrics and health. {@code refused} and
 * {@code unprotected} count submissions since the store fails, and are 0 if it works.
 */
public record GateStatus(int running, int waiting, int pendingWrites, long pendingBytes, boolean storeFails,
		long refused, long unprotected) {
}
