/** Observations, and meters of submissions, the store, receipts and locks. */
@NullMarked
package io.idempotent.metrics.autoconfigure;

import org.jspecify.annotations.NullMarked;
