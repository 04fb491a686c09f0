package io.idempotent.boot.health;

/**
 * Whether a table in the guarded database can be used.
 *
 * @param name what the table is for
 * @param statement reads from it, and throws if that fails
 */
record GuardCheck(String name, Runnable statement) {
}
