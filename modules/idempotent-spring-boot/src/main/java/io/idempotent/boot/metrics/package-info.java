/** Meters of submissions, the store, receipts and locks. */
@NullMarked
package io.idempotent.boot.metrics;

import org.jspecify.annotations.NullMarked;
