/** Observes lock acquisitions by Micrometer: one timer and one span for each. */
@NullMarked
package io.idempotent.lock.observation;

import org.jspecify.annotations.NullMarked;
