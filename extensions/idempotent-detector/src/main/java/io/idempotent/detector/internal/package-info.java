/**
 * Watches requests that are not idempotent, and asks the store whether they are repeats.
 */
@NullMarked
package io.idempotent.detector.internal;

import org.jspecify.annotations.NullMarked;
