/**
 * What became of the transactions of a thread: the one model that receipts, fences, the
 * ends of calls and locks ask. It needs spring-tx and knows none of them.
 */
@NullMarked
package io.idempotent.transaction;

import org.jspecify.annotations.NullMarked;
