/**
 * Internal: bounded statements on connections of their own, for the engines and stores
 * that keep their rows in a database. May change without notice.
 */
@NullMarked
package io.idempotent.jdbc;

import org.jspecify.annotations.NullMarked;
