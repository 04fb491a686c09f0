/** Locks in the rows of a relational database, for a lease or a transaction. */
@NullMarked
package io.idempotent.lock.jdbc;

import org.jspecify.annotations.NullMarked;
