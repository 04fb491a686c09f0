package io.idempotent.benchmarks.simulation;

/**
 * What one submission costs the servers.
 *
 * @param claim a claim that is granted, at a master of Redis
 * @param completion the completion, at the same master
 * @param duplicate a claim that is answered with the response
 * @param transaction the transaction, at a database
 */
record Costs(Service claim, Service completion, Service duplicate, Service transaction) {
}
