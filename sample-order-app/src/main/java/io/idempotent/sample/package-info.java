/**
 * A small shop that takes each order once.
 */
@NullMarked
package io.idempotent.sample;

import org.jspecify.annotations.NullMarked;
