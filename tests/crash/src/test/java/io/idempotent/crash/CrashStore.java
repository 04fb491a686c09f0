package io.idempotent.crash;

/**
 * Where the records are kept.
 */
enum CrashStore {

	REDIS, JDBC

}
