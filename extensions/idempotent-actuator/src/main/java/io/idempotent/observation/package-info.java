/** The observation of submissions by Micrometer: one timer and one span for each. */
@NullMarked
package io.idempotent.observation;

import org.jspecify.annotations.NullMarked;
