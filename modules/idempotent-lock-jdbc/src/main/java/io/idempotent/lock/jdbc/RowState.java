package io.idempotent.lock.jdbc;

/**
 * What a waiter sees of a row.
 *
 * @param free whether the waiter can take it
 * @param inTurn whether the turn of a node has not ended yet
 * @param nextFree whether the waiter can reserve the next turn, or has done so
 * @param token the last token, which changes with each grant
 */
record RowState(boolean free, boolean inTurn, boolean nextFree, long token) {
}
