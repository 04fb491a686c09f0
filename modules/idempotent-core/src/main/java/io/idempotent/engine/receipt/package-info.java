/** Receipts: proofs of effects in the database of the application. */
@NullMarked
package io.idempotent.engine.receipt;

import org.jspecify.annotations.NullMarked;
