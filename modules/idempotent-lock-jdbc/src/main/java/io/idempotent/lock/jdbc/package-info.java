/**
 * Locks in the rows of a relational database, for as long as a lease or as long as a
 * transaction.
 */
@NullMarked
package io.idempotent.lock.jdbc;

import org.jspecify.annotations.NullMarked;
