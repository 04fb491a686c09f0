package io.idempotent.engine;

/**
 * The current activity of a gate, for metrics and health.
 *
 * @param running how many claims this node holds and renews
 * @param waiting how many submissions wait for the end of a running operation
 * @param pendingWrites how many outcomes the store has not accepted yet
 * @param pendingBytes the memory of these outcomes, with the stored answers
 * @param storeFails whether there is an outage of the store
 * @param refused how many submissions were refused since the store fails, 0 if it works
 * @param unprotected how many submissions ran without a claim since the store fails, 0 if
 * it works
 */
public record GateStatus(int running, int waiting, int pendingWrites, long pendingBytes, boolean storeFails,
		long refused, long unprotected) {
}
