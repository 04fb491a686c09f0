package io.idempotent.programs;

/**
 * Where records are kept.
 */
enum StoreKind {

	LOCAL, REDIS

}
