/** Receipts: proofs of effects in the database of the application. */
@NullMarked
package io.idempotent.submission.receipt;

import org.jspecify.annotations.NullMarked;
