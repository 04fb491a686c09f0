/**
 * What an operation costs in stores of different sizes.
 */
@NullMarked
package io.idempotent.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
