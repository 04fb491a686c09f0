/** Receipts: the database knows which operations took effect. */
@NullMarked
package io.idempotent.jdbc.receipt;

import org.jspecify.annotations.NullMarked;
