/**
 * What receipts cost a business database: the row, and its deletion.
 */
@NullMarked
package io.idempotent.benchmarks.receipt;

import org.jspecify.annotations.NullMarked;
