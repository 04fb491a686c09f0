/** The store of many nodes in a relational database: PostgreSQL, MariaDB, MySQL or H2. */
@NullMarked
package io.idempotent.jdbc.store;

import org.jspecify.annotations.NullMarked;
