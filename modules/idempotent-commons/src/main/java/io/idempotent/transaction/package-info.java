/**
 * The outcomes of the transactions of a thread: one model for receipts, fences, calls and
 * locks. It needs spring-tx, and does not depend on its users.
 */
@NullMarked
package io.idempotent.transaction;

import org.jspecify.annotations.NullMarked;
