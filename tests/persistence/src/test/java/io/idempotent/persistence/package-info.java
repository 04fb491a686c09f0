/**
 * Receipts with the libraries by which applications use a database.
 */
@NullMarked
package io.idempotent.persistence;

import org.jspecify.annotations.NullMarked;
